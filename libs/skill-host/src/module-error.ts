import { urlOf } from './confinement.js';

const LONGEST_MESSAGE = 2_000;

/** Returns what an error of a module says, with the line that it comes from, whatever was thrown. */
export function describe(error: unknown, file: string): string {
  try {
    if (!(error instanceof Error)) return String(error).slice(0, LONGEST_MESSAGE);
    const message = String(error.message).slice(0, LONGEST_MESSAGE) || error.name;
    const place = placeIn(String(error.stack), file);
    return place === null ? message : `${message} (${place})`;
  } catch {
    return 'it threw something that cannot be shown';
  }
}

/** Returns the first place of the module in a stack trace, such as `weather.ts:12:5`; null when there is none. */
function placeIn(stack: string, file: string): string | null {
  const url = urlOf(file);
  const at = stack.indexOf(`${url}:`);
  const found = at >= 0 ? /^:(\d+(?::\d+)?)/.exec(stack.slice(at + url.length)) : /^:(\d+)\n/.exec(stack);
  return found ? `${file}:${found[1] ?? ''}` : null;
}
