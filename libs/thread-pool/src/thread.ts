import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

interface ThreadOptions extends WorkerOptions {
  name: string;
  file: string | URL;
  heapMegabytes: number;
}

/** Starts a thread with a limit of memory. One that fails exits, which is all that the pool needs to know. */
export function startThread({ file, heapMegabytes, ...options }: ThreadOptions): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes };
  return new Worker(file, { env: {}, resourceLimits, ...options }).on('error', () => undefined);
}

/** Returns the path of a file of a library as it is built: threads run these, also in tests, which run from the sources. */
export function builtFile(name: string, from: string): string {
  const path = fileURLToPath(new URL(name, from));
  return from.endsWith('.ts') ? path.replace(/libs(?=[\\/][^\\/]+[\\/]src[\\/])/, 'dist/libs') : path;
}
