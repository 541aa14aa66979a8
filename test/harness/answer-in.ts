/** Reads the answer to a request; on a busy machine, it comes as an event stream with keep-alives. */
export async function answerIn<Answer = Record<string, unknown>>(res: Response): Promise<Answer> {
  const text = await res.text();
  return JSON.parse(text.slice(text.indexOf('{'))) as Answer;
}
