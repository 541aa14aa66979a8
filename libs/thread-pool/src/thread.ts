import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

interface ThreadOptions extends WorkerOptions {
  name: string;
  file: string | URL;
  heapMegabytes: number;
}

/** Starts a thread with a memory limit. A failing thread exits, which is all that the pool needs to know. */
export function startThread({ file, heapMegabytes, ...options }: ThreadOptions): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes };
  return new Worker(file, { env: {}, resourceLimits, ...options }).on('error', () => undefined);
}

/** Returns the path of a library's built file: threads run these even in tests, which otherwise run from the sources. */
export function builtFile(name: string, from: string): string {
  const path = fileURLToPath(new URL(name, from));
  return from.endsWith('.ts') ? path.replace(/libs(?=[\\/][^\\/]+[\\/]src[\\/])/, 'dist/libs') : path;
}
