const MOST_CHARACTERS = 60;
const EXAMPLE = '${ "Hello \\(.name)" }';

/** Returns what to write instead of a text that has `${ }` in it, as the end of a sentence. */
export function adviceForPartial(text: string): string {
  const whole = wholeExpression(text) ?? '';
  const isShown = whole !== '' && whole.length <= MOST_CHARACTERS;
  return `make all of it one expression${isShown ? ': ' : ', such as '}${inQuotes(isShown ? whole : EXAMPLE)}`;
}

/**
 * Returns the expression that gives what a text with `${ }` in it would, if these were evaluated; undefined when it has
 * none, or one of them is empty or does not end.
 */
export function wholeExpression(text: string): string | undefined {
  let [interpolated, at] = ['', 0];
  for (let begin = text.indexOf('${'); begin >= 0; begin = text.indexOf('${', at)) {
    const end = endOfProgram(text, begin + 2);
    const program = text.slice(begin + 2, end).trim();
    if (end === undefined || program === '') return undefined;
    interpolated += `${escaped(text.slice(at, begin))}\\(${program})`;
    at = end + 1;
  }
  return at === 0 ? undefined : `\${ "${interpolated}${escaped(text.slice(at))}" }`;
}

/** Returns where the `}` is that ends a program of jq, which may hold objects, and texts with programs in them. */
function endOfProgram(text: string, begin: number): number | undefined {
  const open: string[] = [];
  for (let at = begin; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (open.at(-1) === '"') {
      if (character === '"') open.pop();
      if (character !== '\\') continue;
      at += 1;
      if (text.charAt(at) === '(') open.push('(');
    } else if ('"{('.includes(character)) {
      open.push(character);
    } else if (character === ')') {
      open.pop();
    } else if (character === '}' && open.pop() === undefined) {
      return at;
    }
  }
  return undefined;
}

/** Returns a text as jq writes it within quotes, as JSON does. */
const escaped = (text: string): string => JSON.stringify(text.toWellFormed()).slice(1, -1);

/** In single quotes YAML leaves backslashes and double quotes as they are. */
const inQuotes = (expression: string): string => `'${expression.replaceAll("'", "''")}'`;
