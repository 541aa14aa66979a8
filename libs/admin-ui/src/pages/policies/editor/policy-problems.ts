import type { Schemas } from '../../../api/client';

/** An error or a warning about a policy, at a place in its text. */
interface PolicyProblem {
  severity: 'error' | 'warning';
  path: '';
  message: string;
  line: number;
  column: number;
}

// The same object each time, so that the editor does not update its marks.
const NONE: readonly PolicyProblem[] = [];
const known = new WeakMap<object, readonly PolicyProblem[]>();

/** Returns the problems of a check, errors first, ordered by line; the same object for the same check. */
export function problemsOf(check: Schemas['PolicyCheckView'] | undefined): readonly PolicyProblem[] {
  if (!check) return NONE;
  let problems = known.get(check);
  if (!problems) {
    problems = [
      ...check.errors.map(problemOf('error')).sort(byLine),
      ...check.warnings.map(problemOf('warning')).sort(byLine),
    ];
    known.set(check, problems);
  }
  return problems;
}

const problemOf =
  (severity: PolicyProblem['severity']) =>
  ({ message, line = 1, column = 1 }: Schemas['ProblemField']): PolicyProblem => ({
    severity,
    path: '',
    message,
    line,
    column,
  });

const byLine = (a: PolicyProblem, b: PolicyProblem): number => a.line - b.line;
