import { parentPort } from 'node:worker_threads';
import { type FeedBytes, readFeed } from './feed-reading.rules.js';

parentPort?.on('message', (bytes: FeedBytes) => parentPort?.postMessage(readFeed(bytes)));
