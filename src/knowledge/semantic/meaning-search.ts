export interface MeaningQuery {
  query: string;
  /** The document must have all of them. */
  tags: readonly string[];
  limit: number;
}

/** Finds passages by meaning, whatever their words. */
export abstract class MeaningSearch {
  /** Returns the ids of passages, the most similar first; none when the embeddings API does not answer. */
  abstract find(query: MeaningQuery): Promise<number[]>;
}

/** Finds nothing: for commands, which use no embeddings. */
export class NoMeaningSearch extends MeaningSearch {
  override async find(): Promise<number[]> {
    return [];
  }
}
