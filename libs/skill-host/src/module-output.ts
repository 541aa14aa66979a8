// Registered symbols: a bundler may have put a copy of the kit into the module.
/** The questions of an output of `ask`. */
export const ASKED = Symbol.for('agent-service.ask');
/** Marks the blocks that `text` and `image` make. */
export const BLOCK = Symbol.for('agent-service.block');

/** Returns the result with an output of `text` or `image`, or a list of them, as its content; any other output unchanged. */
export function withBlocks(output: unknown): unknown {
  const made: unknown[] = Array.isArray(output) ? output : [output];
  return made.length > 0 && made.every(isBlock) ? { content: made } : output;
}

/** Returns the questions of an output of `ask`; undefined for any other output. */
export const questionsIn = (output: unknown): unknown => (isObject(output) ? Reflect.get(output, ASKED) : undefined);

const isBlock = (value: unknown): boolean => isObject(value) && BLOCK in value;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
