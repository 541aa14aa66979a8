import { pointerTo } from '../json-pointer.js';
import type { FoundExpression } from './findings.js';
import type { Inspection } from './inspection.js';
import type { DefinitionProblem } from './problem.js';

/** The parts of a task that read its input. */
const READING = /^\/(?:with|set|if|input|for|switch|emit|run)\b/;
/** Matches a property of `.` before anything that may change what `.` is: a pipe, or the arguments of a function. */
const OF_INPUT = /^(?:(?!\w\()[^|])*?(?<![\w)\]"'}.?])\.(?<name>[A-Za-z_]\w*)/;
const OF_WORKFLOW = /\$workflow\.input\.(?<name>[A-Za-z_]\w*)/;

const exampleOf = (name: string): string =>
  `input: { schema: { document: { type: object, properties: { ${name}: { type: string } }, required: [${name}] } } }`;

/** Returns a warning about the first property that a workflow reads of its input, if callers of its tool cannot give any. */
export function undeclaredInput({ definition, expressions }: Inspection): DefinitionProblem[] {
  if (!definition || definition.input?.schema || definition.schedule) return [];
  const [first = {}] = definition.do;
  const start = pointerTo('/do/0', Object.keys(first)[0] ?? '');
  const nameIn = ({ path, program }: FoundExpression): string | undefined => {
    const isFirst = path.startsWith(start) && READING.test(path.slice(start.length));
    return (OF_WORKFLOW.exec(program) ?? (isFirst ? OF_INPUT.exec(program) : null))?.groups?.['name'];
  };
  for (const one of expressions) {
    const name = nameIn(one);
    if (name === undefined) continue;
    const { path, line, column } = one;
    const message = `reads "${name}" of the input, but there is no input.schema: as a tool, the workflow takes no arguments: declare them, such as ${exampleOf(name)}`;
    return [{ severity: 'warning', path, line, column, message }];
  }
  return [];
}
