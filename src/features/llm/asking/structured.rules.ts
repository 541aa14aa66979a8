const FENCE = '```';
/** Ends the thoughts of a reasoning model whose server leaves them in its answer. */
const THOUGHTS_END = '</think>';
/** Maximum number of problems in a repair request. */
const MOST_LISTED = 10;

/** Returns the JSON in an answer: models often put it in a code fence, say something before it, or think aloud. */
export function jsonIn(text: string): string {
  const said = withoutThoughts(text.trim());
  if (said.startsWith('{')) return said;
  const [start, end] = [said.indexOf(FENCE), said.lastIndexOf(FENCE)];
  const lineEnd = said.indexOf('\n', start);
  return start === -1 || lineEnd === -1 || lineEnd >= end ? said : said.slice(lineEnd + 1, end).trim();
}

/** The beginning of the thoughts may be missing: some servers count it to the prompt. */
function withoutThoughts(text: string): string {
  if (text.startsWith('{') || text.startsWith(FENCE)) return text;
  const end = text.indexOf(THOUGHTS_END);
  return end === -1 ? text : text.slice(end + THOUGHTS_END.length).trim();
}

/** Returns the request to repair an answer that does not match the schema. */
export const repairRequest = (problems: readonly string[]): string =>
  [
    'Your answer does not fit the JSON Schema:',
    ...problems.slice(0, MOST_LISTED).map((problem) => `- ${problem}`),
    'Answer again with the corrected JSON only.',
  ].join('\n');
