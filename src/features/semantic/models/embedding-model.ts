import type { Embedding } from './embedding.rules.js';

export interface EmbedOptions {
  /** Whether someone waits for it: it goes before what is embedded in the background. */
  urgent: boolean;
  timeoutMs: number;
  signal: AbortSignal;
}

/** A model as it is set at one moment: later changes of the settings do not change it. */
export interface EmbeddingModel {
  /** Names the model and where it runs: only embeddings of the same space can be compared. */
  readonly space: string;
  /** Whether texts stay in this process. */
  readonly isBuiltin: boolean;
  /** Why the model cannot be used; null when it can be. */
  readonly problem: string | null;
  /** How many texts are best embedded in one go. */
  readonly textsAtOnce: number;
  /** What is less similar has nothing to do with a query; null = not known. */
  readonly unrelatedBelow: number | null;

  /**
   * Returns one embedding for each text, in the order of `texts`; null for a text that has none.
   * @throws ModelNotUsable, EmbeddingRefusal, and other errors that say why the model does not answer
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<(Embedding | null)[]>;
}
