import type { Embedding } from './models/embedding.rules.js';
import type { EmbeddingModel } from './models/embedding-model.js';
import { EmbeddingRefusal } from './models/semantic.errors.js';

const TIMEOUT_MS = 60_000;
/** A text of at most this many characters is never refused because of its length. */
const SHORT = 300;
const PROBE = 'test';

/**
 * Returns one embedding for each text, in the order of `texts`; null for a text that the model refuses. Halves a refused
 * batch, and then a refused text, until the model accepts them: models limit the length of inputs.
 * @throws the errors of the model
 */
export async function embedTexts(
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(Embedding | null)[]> {
  const [only = ''] = texts;
  try {
    return await model.embed(texts, { urgent: false, timeoutMs: TIMEOUT_MS, signal });
  } catch (error) {
    if (!(error instanceof EmbeddingRefusal) || !error.mayBeTheInput) throw error;
    if (texts.length === 1 && only.length <= SHORT) return await probe(model, signal, error);
  }
  if (texts.length === 1) return embedTexts(model, [only.slice(0, only.length / 2).toWellFormed()], signal);
  const half = Math.ceil(texts.length / 2);
  return [
    ...(await embedTexts(model, texts.slice(0, half), signal)),
    ...(await embedTexts(model, texts.slice(half), signal)),
  ];
}

/**
 * Returns null for the refused text when the model accepts another one; otherwise the fault is not the text's.
 * @throws `refusal`
 */
async function probe(model: EmbeddingModel, signal: AbortSignal, refusal: EmbeddingRefusal): Promise<[null]> {
  try {
    await model.embed([PROBE], { urgent: false, timeoutMs: TIMEOUT_MS, signal });
  } catch {
    throw refusal;
  }
  return [null];
}
