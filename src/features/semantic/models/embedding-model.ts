import type { Embedding } from './embedding.rules.js';

export interface EmbedOptions {
  /** True when someone is waiting: it takes precedence over embedding in the background. */
  urgent: boolean;
  timeoutMs: number;
  signal: AbortSignal;
}

/** A snapshot of the configured model: later changes of the settings do not affect it. */
export interface EmbeddingModel {
  /** Identifies the model and where it runs: only embeddings of the same space can be compared. */
  readonly space: string;
  /** True when texts stay in this process. */
  readonly isBuiltin: boolean;
  /** Why the model cannot be used; null = no problem. */
  readonly problem: string | null;
  /** Preferred batch size. */
  readonly textsAtOnce: number;
  /** Items with a lower similarity are unrelated to a query; null = unknown. */
  readonly unrelatedBelow: number | null;

  /**
   * Returns one embedding for each text, in the order of `texts`; null for a text that has none.
   * @throws ModelNotUsable, EmbeddingRefusal, and other errors when the model does not respond
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<(Embedding | null)[]>;
}
