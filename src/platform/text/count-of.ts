/** Returns a count with its noun, such as "1 file" or "2 files". */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
