import { formatPolicies, policyToJson, validate } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyJson } from '#cedar';

/** A problem of a policy, at a position in the UTF-8 bytes of its text. */
export interface CedarProblem {
  message: string;
  byte: number;
}

interface CedarError {
  message: string;
  help: string | null;
  sourceLocations?: { start: number; label: string | null }[];
  related?: CedarError[];
}

export function parsePolicy(policy: string): { json: PolicyJson } | { problems: CedarProblem[] } {
  const answer = policyToJson(policy);
  if (answer.type === 'success') return { json: answer.json as PolicyJson };
  return { problems: toProblems(answer.errors) };
}

/** Returns the errors of a policy against a schema, and reasons why it may never apply. */
export function validatePolicy({ policy, schema }: { policy: string; schema: object }): {
  errors: CedarProblem[];
  warnings: CedarProblem[];
} {
  const answer = validate({ schema: schema as never, policies: { staticPolicies: { policy } } });
  if (answer.type === 'failure') return { errors: toProblems(answer.errors), warnings: [] };
  return {
    errors: toProblems(answer.validationErrors.map(({ error }) => error)),
    warnings: toProblems(answer.validationWarnings.map(({ error }) => error)),
  };
}

/** Returns a policy in Cedar's usual layout, with its comments; null when it is not valid. */
export function formatPolicy(policy: string): string | null {
  const answer = formatPolicies({ policyText: policy });
  return answer.type === 'success' ? answer.formatted_policy : null;
}

/** Reports each error once, even if it concerns several actions. */
function toProblems(errors: readonly CedarError[]): CedarProblem[] {
  const problems = new Map<string, CedarProblem>();
  for (const error of errors.flatMap((one) => [one, ...(one.related ?? [])])) {
    const { sourceLocations: [place] = [] } = error;
    const message = [withoutPrefix(error.message), place?.label, hintOf(error)].filter(Boolean).join('; ');
    const problem = { message, byte: place?.start ?? 0 };
    problems.set(`${problem.byte} ${message.replace(/ in context for .*/, '')}`, problem);
  }
  return [...problems.values()];
}

const hintOf = ({ message, help }: CedarError): string | null =>
  message.includes('attribute `args`')
    ? 'only a policy about one tool can read its arguments: write resource == Tool::"..." in its head, and action == Action::"callTool"'
    : help;

const withoutPrefix = (message: string): string =>
  message
    .replace(/^for policy `policy`, /, '')
    .replace(/^failed to parse policy (with id `policy` )?from string: /, '');
