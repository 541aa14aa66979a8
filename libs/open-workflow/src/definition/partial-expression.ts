const MOST_CHARACTERS = 60;
const EXAMPLE = '${ "Hello \\(.name)" }';

/** Returns advice for a text that contains `${ }`, as the end of a sentence. */
export function adviceForPartial(text: string): string {
  const whole = wholeExpression(text) ?? '';
  const isShown = whole !== '' && whole.length <= MOST_CHARACTERS;
  return `make all of it one expression${isShown ? ': ' : ', such as '}${inQuotes(isShown ? whole : EXAMPLE)}`;
}

/**
 * Returns the single expression equivalent to a text with embedded `${ }`; undefined when it has none, or one of them is empty or
 * unclosed.
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

/** Returns the position of the `}` that ends a jq program, which may contain objects, and strings with interpolations. */
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

/** Escapes a text for a jq string literal, which uses JSON syntax. */
const escaped = (text: string): string => JSON.stringify(text.toWellFormed()).slice(1, -1);

/** In single quotes, YAML leaves backslashes and double quotes unchanged. */
const inQuotes = (expression: string): string => `'${expression.replaceAll("'", "''")}'`;
