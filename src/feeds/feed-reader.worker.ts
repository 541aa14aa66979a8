import { parentPort } from 'node:worker_threads';
import { type DocumentSource, readDocument } from './feed-reading.rules.js';

// What throws ends the thread, and FeedReader starts another.
parentPort?.on('message', (source: DocumentSource) => parentPort?.postMessage(readDocument(source)));
