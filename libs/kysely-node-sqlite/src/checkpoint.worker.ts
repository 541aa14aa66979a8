import { parentPort, workerData } from 'node:worker_threads';
import { NodeSqliteDatabase } from './node-sqlite.database.js';

// A thread that moves the log into the database on a connection of its own, whenever it is told to.
const database = new NodeSqliteDatabase((workerData as { path: string }).path);

parentPort?.on('message', () => {
  try {
    // Waits for nobody, and holds up neither those who read nor those who write.
    database.execute('pragma wal_checkpoint(passive)', []);
  } catch {
    // What cannot be moved now, because the disk is full for example, stays in the log, and nothing is lost.
  }
  parentPort?.postMessage('done');
});
