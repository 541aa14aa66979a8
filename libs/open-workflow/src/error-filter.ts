import { isDeepStrictEqual } from 'node:util';
import type { ErrorModel } from './model.js';
import { type Problem, STANDARD_ERRORS } from './workflow-error.js';

/** The prefixes that the types of the standard errors have had in the versions of the DSL. */
const PREFIXES = ['https://open-workflow-specification.org', 'https://serverlessworkflow.io'].flatMap((host) => [
  `${host}/spec/1.0.0/errors/`,
  `${host}/dsl/errors/types/`,
]);

/** Returns whether an error has all that a filter asks for. Types of standard errors are equal in all their spellings. */
export function matchesError(filter: Partial<ErrorModel> | undefined, problem: Problem): boolean {
  return Object.entries(filter ?? {}).every(([name, expected]) => {
    const actual = problem[name];
    if (name === 'type') return canonicalType(String(expected)) === canonicalType(problem.type);
    if (name === 'status') return Number(expected) === problem.status;
    return isDeepStrictEqual(expected, actual);
  });
}

function canonicalType(type: string): string {
  const prefix = PREFIXES.find((one) => type.startsWith(one));
  return prefix === undefined ? type : STANDARD_ERRORS + type.slice(prefix.length);
}
