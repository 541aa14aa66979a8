import type { EmbeddingModel, EmbedOptions } from './embedding-model.js';
import type { Embedding } from './embedding.rules.js';
import { EmbeddingRefusal } from './semantic.errors.js';

/** A text of at most this many characters is never refused because of its length. */
const SHORT = 300;
const PROBE = 'test';

/**
 * Returns one embedding for each text, in the order of `texts`; null for a text that the model refuses. Halves a refused
 * batch, and then a refused text, until the model accepts them: models limit the length of inputs.
 * @param options called before each request
 * @throws the errors of the model
 */
export async function embedTexts(
  model: EmbeddingModel,
  texts: readonly string[],
  options: () => EmbedOptions,
): Promise<(Embedding | null)[]> {
  const [only = ''] = texts;
  try {
    return await model.embed(texts, options());
  } catch (error) {
    if (!(error instanceof EmbeddingRefusal) || !error.mayBeTheInput) throw error;
    if (texts.length === 1 && only.length <= SHORT) return await probe(model, options(), error);
  }
  if (texts.length === 1) return embedTexts(model, [only.slice(0, only.length / 2).toWellFormed()], options);
  const half = Math.ceil(texts.length / 2);
  return [
    ...(await embedTexts(model, texts.slice(0, half), options)),
    ...(await embedTexts(model, texts.slice(half), options)),
  ];
}

/**
 * Tries another text: returns null for the refused one if the model accepts it; otherwise the text is not the cause.
 * @throws `refusal`
 */
async function probe(model: EmbeddingModel, options: EmbedOptions, refusal: EmbeddingRefusal): Promise<[null]> {
  try {
    await model.embed([PROBE], options);
  } catch {
    throw refusal;
  }
  return [null];
}
