import { parentPort } from 'node:worker_threads';
import { parsedBody } from './body-json.js';
import type { LargeBody } from './large-bodies.js';

// A thread that parses large bodies, one at a time.
parentPort?.on('message', ({ chunks, limits }: LargeBody) => parentPort?.postMessage(parsedBody(chunks, limits)));
