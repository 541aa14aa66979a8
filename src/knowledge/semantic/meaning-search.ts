export interface MeaningQuery {
  query: string;
  /** The document must have them all. */
  tags: readonly string[];
  limit: number;
}

/** Finds passages that mean what is asked for, in whichever words. */
export abstract class MeaningSearch {
  /** Ids of passages, the nearest first; none where the embeddings API does not answer. */
  abstract find(query: MeaningQuery): Promise<number[]>;
}

/** Where there are no embeddings: in commands, and where nobody set an embeddings API. */
export class NoMeaningSearch extends MeaningSearch {
  override async find(): Promise<number[]> {
    return [];
  }
}
