import { AppError } from '../../../platform/errors/app-error.js';

/** Thrown when a model refuses its input. */
export abstract class EmbeddingRefusal extends AppError {
  /** True when the model may accept another input, such as a shorter one. */
  abstract get mayBeTheInput(): boolean;
}

/** Thrown when the embeddings API responds with an error. */
export class EmbeddingsRefused extends EmbeddingRefusal {
  constructor(
    url: string,
    readonly status: number,
    reason: string,
    retryAfterSeconds?: number,
  ) {
    super(
      'unavailable',
      'knowledge.embeddings_refused',
      `${url} answered ${status}${isRedirect(status) ? REDIRECTED : reason && `: ${reason}`}`,
      retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    );
  }

  /** Some servers answer 500 to an input that is too long. */
  override get mayBeTheInput(): boolean {
    return [400, 413, 422, 500].includes(this.status);
  }
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

const REDIRECTED =
  '. It redirects, which is not followed: set knowledge.embeddings_url to the URL that it redirects to.';

/** Thrown when the configured model cannot be used, because of its key or because it is not installed. */
export class ModelNotUsable extends AppError {
  constructor(problem: string) {
    super('unavailable', 'knowledge.model_not_usable', problem);
  }
}

/** Thrown when the response is not that of an embeddings API. */
export class EmbeddingsUnreadable extends EmbeddingRefusal {
  constructor(url: string, problem: string) {
    super(
      'unavailable',
      'knowledge.embeddings_unreadable',
      `${url} does not answer as the OpenAI embeddings API does: ${problem}; check knowledge.embeddings_url`,
    );
  }

  /** Some servers send null or NaN for an input that is too much for the model. */
  override get mayBeTheInput(): boolean {
    return true;
  }
}

/** Thrown when the vectors of a model have another number of dimensions than those it returned just before. */
export class DimensionsChanged extends AppError {
  constructor(space: string, before: number, now: number) {
    super(
      'unavailable',
      'knowledge.dimensions_changed',
      `${space} answered with vectors of ${before} dimensions, and then of ${now}: configure a server that always uses one model`,
    );
  }
}

/** Thrown when a replica that chose its model later embeds with another model. */
export class ReplicasDiffer extends AppError {
  constructor(space: string) {
    super(
      'unavailable',
      'knowledge.replicas_differ',
      `another replica embeds with ${space}: configure the same model on all replicas`,
    );
  }
}

/** Thrown when the built-in model crashes, takes too long, or does not return a vector. */
export class BuiltinModelFailed extends EmbeddingRefusal {
  constructor(reason: string) {
    super('unavailable', 'knowledge.builtin_model_failed', `The built-in model failed: ${reason}.`);
  }

  override get mayBeTheInput(): boolean {
    return true;
  }
}

/** Thrown when the built-in model has not responded in the time that the caller can wait. */
export class BuiltinModelBusy extends AppError {
  /** @param free resolves when the model has finished its current work, such as loading */
  constructor(
    timeoutMs: number,
    readonly free: Promise<unknown>,
  ) {
    super('unavailable', 'knowledge.builtin_model_busy', `The built-in model did not answer within ${timeoutMs} ms.`);
  }
}
