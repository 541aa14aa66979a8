// Runs jobs in worker threads. Each line is public API.
export { ThreadPool, type Watch } from './thread-pool.js';
export { builtFile, startThread } from './thread.js';
