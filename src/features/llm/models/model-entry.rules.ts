/** Returns the name and the id of a model in an entry such as "fast = gpt-5-mini" or "gpt-5-mini". */
export function toModelEntry(entry: string): { name: string; id: string } {
  const at = entry.indexOf('=');
  const id = entry.slice(at + 1).trim();
  return { name: at === -1 ? id : entry.slice(0, at).trim(), id };
}

/** Returns the endpoint of the chat API with this base URL; also accepts the full URL. */
export function endpointOf(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  const base = url.slice(0, end);
  return base.endsWith('/chat/completions') ? base : `${base}/chat/completions`;
}
