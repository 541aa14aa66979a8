import { AppError } from '../../errors/app-error.js';

/** Thrown when the embeddings API answers with an error. */
export class EmbeddingsRefused extends AppError {
  constructor(
    url: string,
    readonly status: number,
    reason: string,
    retryAfterSeconds?: number,
  ) {
    super(
      'unavailable',
      'knowledge.embeddings_refused',
      `${url} answered ${status}${reason && `: ${reason}`}`,
      retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    );
  }

  /**
   * Whether the API may accept another input, such as a shorter one. Some servers answer 500 to an input that is too
   * long.
   */
  get mayBeTheInput(): boolean {
    return [400, 413, 422, 500].includes(this.status);
  }
}

/** Thrown when the stored key was entered for another server. */
export class EmbeddingsKeyOfAnother extends AppError {
  constructor(problem: string) {
    super('unavailable', 'knowledge.embeddings_key_of_another', problem);
  }
}

/** Thrown when the answer is not that of an embeddings API. */
export class EmbeddingsUnreadable extends AppError {
  constructor(url: string, problem: string) {
    super(
      'unavailable',
      'knowledge.embeddings_unreadable',
      `${url} does not answer as the OpenAI embeddings API does: ${problem}; check knowledge.embeddings_url`,
    );
  }
}
