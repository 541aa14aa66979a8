/** Messages to callers about calls that failed. */
export const invalidMessage = (name: string, problems: readonly string[]): string =>
  `The arguments do not fit the input schema of ${name}:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n` +
  'Correct them and call again.';

/** @param structured the structured content of the result; undefined = it has none */
export const contradictsMessage = (name: string, structured: unknown, problems: readonly string[]): string =>
  structured === undefined
    ? `The result of the tool ${name} has no structured content, which its output schema requires: return an object, or ` +
      '{ content, structuredContent }.'
    : `The result of the tool ${name} does not match its output schema: ${problems.join('; ')}`;

export const failedMessage = (name: string, message: string): string => `The tool ${name} failed: ${message}`;

export const cancelledMessage = (name: string): string => `The call of ${name} was cancelled.`;

/** @param source where an administrator can raise the limit */
export const timeoutMessage = (name: string, limitMs: number, source: string): string =>
  `The tool ${name} did not finish within ${limitMs} ms and was stopped. Ask for less at once, or have the ` +
  `administrator raise ${source}.`;
