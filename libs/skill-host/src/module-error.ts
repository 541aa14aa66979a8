import { SCHEME } from './confinement.js';

const LONGEST_MESSAGE = 2_000;
const LONGEST_STACK = 20_000;

/** A position in a file of the module: paths contain no colon. */
const FRAME = new RegExp(`${SCHEME}([^:()\\s]+):(\\d+(?::\\d+)?)`);

/** Returns the message of an error of a module, with its line, whatever was thrown. @param file used when the position is unknown */
export function describe(error: unknown, file: string): string {
  try {
    if (!(error instanceof Error)) return String(error).slice(0, LONGEST_MESSAGE);
    const message = String(error.message).slice(0, LONGEST_MESSAGE) || error.name;
    const place = placeIn(String(error.stack).slice(0, LONGEST_STACK), file);
    return place === null ? message : `${message} (${place})`;
  } catch {
    return 'it threw something that cannot be shown';
  }
}

/** Returns the first position in the module in a stack trace, such as `weather.ts:12:5`; null when there is none. */
function placeIn(stack: string, file: string): string | null {
  const [, path, place] = FRAME.exec(stack) ?? [];
  if (path !== undefined) return `${path}:${place ?? ''}`;
  const [, line] = /^:(\d+)\n/.exec(stack) ?? [];
  return line === undefined ? null : `${file}:${line}`;
}
