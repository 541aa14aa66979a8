const FENCE = '```';
/** Maximum number of problems in a repair request. */
const MOST_LISTED = 10;

/** Returns the JSON in an answer: models often put it in a code fence. */
export function jsonIn(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith(FENCE) || !trimmed.endsWith(FENCE)) return trimmed;
  const lineEnd = trimmed.indexOf('\n');
  return lineEnd === -1 ? trimmed : trimmed.slice(lineEnd + 1, -FENCE.length).trim();
}

/** Returns the request to repair an answer that does not match the schema. */
export const repairRequest = (problems: readonly string[]): string =>
  [
    'Your answer does not fit the JSON Schema:',
    ...problems.slice(0, MOST_LISTED).map((problem) => `- ${problem}`),
    'Answer again with the corrected JSON only.',
  ].join('\n');
