/** Reads the JSON-RPC messages of an event stream one by one. */
export async function* messagesOf(res: Response): AsyncGenerator<Record<string, unknown>> {
  let buffer = '';
  const decoder = new TextDecoder();
  for await (const chunk of res.body ?? []) {
    buffer += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = buffer.split('\n\n');
    buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: {'));
      if (data) yield JSON.parse(data.slice('data: '.length)) as Record<string, unknown>;
    }
  }
}
