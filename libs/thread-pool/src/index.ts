// Runs jobs in worker threads. Each line is public API.
export { watchCpuTime } from './cpu-time.js';
export { ThreadPool, type Watch } from './thread-pool.js';
export { builtFile, startThread } from './thread.js';
