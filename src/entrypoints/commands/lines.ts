/** Splits a file only at line feeds: `readLines` also splits at U+2028, which JSON may contain. */
export async function* linesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let partial: string[] = []; // of the line that continues in the next part
  for await (const part of file) {
    const [first = '', ...others] = decoder.decode(part, { stream: true }).split('\n');
    partial.push(first);
    for (const next of others) {
      yield partial.join('');
      partial = [next];
    }
  }
  const last = partial.join('') + decoder.decode();
  if (last !== '') yield last;
}
