import { type DocumentText, readDocument } from './document-text.js';
import { type DocumentNode, isText, kindOf, type ObjectNode } from './document-node.js';
import { Findings, type FoundCall, type FoundEvent, type FoundExpression, type FoundSubflow } from './findings.js';
import { pointerTo } from '../json-pointer.js';
import type { WorkflowDefinition } from '../model.js';
import { WORKFLOW_VARIABLES } from './place-variables.js';
import type { DefinitionProblem, Located } from './problem.js';
import { quoted } from './quoting.js';
import type { ComponentKind } from './shape.js';
import { WORKFLOW } from './shapes/workflow.shape.js';
import { Walker } from './walker.js';
import type { Declared } from './walking.js';

/** The result of checking a text in isolation. Whether functions exist and expressions are valid is checked elsewhere. */
export interface Inspection {
  /** Null when there are errors. */
  definition: WorkflowDefinition | null;
  problems: DefinitionProblem[];
  expressions: FoundExpression[];
  calls: FoundCall[];
  subflows: FoundSubflow[];
  /** The events that it sends, if their types are literals. */
  events: FoundEvent[];
  /** The name of the workflow; null when it cannot be read. */
  name: string | null;
  /** Positions of the name and the version, for problems found elsewhere. */
  places: { name: Located; version: Located };
}

const KINDS = ['authentications', 'errors', 'functions', 'retries', 'secrets', 'timeouts'] as const;

/** Checks everything that can be seen in the text alone. Long texts take tens of milliseconds: use a thread. */
export function inspectWorkflow(source: string): Inspection {
  const text = readDocument(source);
  const findings = new Findings(text);
  for (const { path, at, message, severity = 'error' } of text.problems) findings.report(severity, path, at, message);
  if (text.root) walk(text.root, findings);
  const { problems, expressions, calls, subflows, events, hasErrors } = findings;
  const value = text.root?.value;
  const definition = !hasErrors && isDefinition(value) ? value : null;
  const head = headOf(text.root);
  const place = (member: string): Located => {
    const at = head?.members.get(member)?.node.at ?? 0;
    return { path: pointerTo('/document', member), ...text.positionOf(at) };
  };
  const name = head?.value['name'];
  return {
    definition,
    problems: inOrder(problems),
    expressions,
    calls,
    subflows,
    events,
    name: typeof name === 'string' ? name : null,
    places: { name: place('name'), version: place('version') },
  };
}

function headOf(root: DocumentNode | null): ObjectNode | undefined {
  const head = root?.type === 'object' ? root.members.get('document')?.node : undefined;
  return head?.type === 'object' ? head : undefined;
}

/** Sorts problems by position. */
export const inOrder = (problems: readonly DefinitionProblem[]): DefinitionProblem[] =>
  [...problems].sort((a, b) => a.line - b.line || a.column - b.column);

function walk(root: NonNullable<DocumentText['root']>, findings: Findings): void {
  if (root.type !== 'object') {
    return findings.report('error', '', root.at, `must be an object with document and do, not ${kindOf(root)}`);
  }
  const declared = declaredIn(root);
  const evaluate = root.value['evaluate'];
  const isLoose = typeof evaluate === 'object' && evaluate !== null && 'mode' in evaluate && evaluate.mode === 'loose';
  const place = {
    path: '',
    nameAt: root.at,
    variables: [],
    mayUseSecrets: false,
    targets: new Set<string>(),
    areConcurrent: false,
    hasDeadline: root.members.has('timeout'),
  };
  new Walker(findings, declared, isLoose).check(WORKFLOW, root, place);
  limitVariables(root, findings);
  // A name that seems unused may be used in a part that could not be read.
  if (!findings.hasErrors) warnOfUnused(root, findings);
}

/** The timeout that the workflow itself refers to is evaluated outside of tasks. */
function limitVariables(root: ObjectNode, { expressions }: Findings): void {
  const { timeout } = root.value;
  if (typeof timeout !== 'string') return;
  const path = pointerTo('/use/timeouts', timeout, 'after');
  for (const expression of expressions) if (expression.path === path) expression.variables = WORKFLOW_VARIABLES;
}

function declaredIn(root: ObjectNode): Declared {
  const names = (kind: ComponentKind) => new Set(declarations(root, kind).map(([name]) => name));
  return {
    authentications: names('authentications'),
    errors: names('errors'),
    functions: names('functions'),
    retries: names('retries'),
    secrets: names('secrets'),
    timeouts: names('timeouts'),
    isUncertain: hasMisspeltDeclarations(root),
  };
}

function hasMisspeltDeclarations(root: ObjectNode): boolean {
  const use = root.members.get('use')?.node;
  if (use === undefined) return [...root.members.keys()].some((name) => !(name in WORKFLOW.properties));
  return use.type !== 'object' || [...use.members.keys()].some((name) => !KINDS.some((kind) => kind === name));
}

/** Returns the declarations of one kind: name, offset in the text, and path. */
function declarations(root: DocumentNode, kind: ComponentKind): [string, number, string][] {
  const use = root.type === 'object' ? root.members.get('use')?.node : undefined;
  const declared = use?.type === 'object' ? use.members.get(kind)?.node : undefined;
  const path = `/use/${kind}`;
  if (declared?.type === 'object') {
    return [...declared.members].map(([name, { nameAt }]) => [name, nameAt, pointerTo(path, name)]);
  }
  if (declared?.type !== 'list') return [];
  return declared.items.flatMap((item, index) =>
    isText(item) ? [[item.value, item.at, pointerTo(path, index)] as [string, number, string]] : [],
  );
}

function warnOfUnused(root: DocumentNode, findings: Findings): void {
  for (const kind of KINDS) {
    for (const [name, at, path] of declarations(root, kind)) {
      if (!findings.used[kind].has(name))
        findings.report('warning', path, at, `${quoted(name)} is not used: remove it`);
    }
  }
}

/** A document without errors is a definition: the shapes mirror the model. */
function isDefinition(value: unknown): value is WorkflowDefinition {
  return typeof value === 'object' && value !== null;
}
