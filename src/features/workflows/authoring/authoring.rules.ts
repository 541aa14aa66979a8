import type { DefinitionProblem } from '#open-workflow';
import { countOf } from '../../../platform/text/count-of.js';
import type { ProposalOutcome, SavedWorkflow } from '../definitions/workflow.js';

/** Limited to what a model can work through at once. */
const MOST_PROBLEMS = 30;

/** Returns the problems of a workflow's text for its author: mistakes first, each with its place. */
export function problemsText(problems: readonly DefinitionProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const shown = [...errors, ...warnings].slice(0, MOST_PROBLEMS);
  const left = problems.length - shown.length;
  return [
    `${countOf(errors.length, 'mistake')}, ${countOf(warnings.length, 'warning')}:`,
    ...shown.map(lineOf),
    ...(left > 0 ? [`and ${left} more: mend these first.`] : []),
  ].join('\n');
}

/** Returns the outcome of a proposal, and what happens next. */
export function proposedText({ workflow, outcome, problems }: SavedWorkflow<ProposalOutcome>, version: string): string {
  const { name, enabled } = workflow;
  const summary = {
    created: `Version ${version} of ${name} is proposed.`,
    unchanged: `Version ${version} of ${name} has this text already.`,
  }[outcome];
  const next = enabled
    ? `Calls still start version ${workflow.version}, until an administrator makes ${version} the current one (administration, Workflows, ${name}).`
    : `It is no tool yet: an administrator enables it in the administration, under Workflows, ${name}. Tell the user so.`;
  return [summary, next, ...problems.map(lineOf)].join('\n');
}

const lineOf = ({ severity, path, line, column, message }: DefinitionProblem): string =>
  `- ${severity} in line ${line}:${column}, at ${path || '/'}: ${message}`;
