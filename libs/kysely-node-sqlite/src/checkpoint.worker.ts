import { parentPort, workerData } from 'node:worker_threads';
import { NodeSqliteDatabase } from './node-sqlite.database.js';

// A thread that checkpoints the WAL on request, over its own connection. Responds with the number of pages in the WAL.
const database = new NodeSqliteDatabase((workerData as { path: string }).path);

parentPort?.on('message', () => parentPort?.postMessage(moveLog()));

function moveLog(): number {
  try {
    // Waits for nobody, and blocks neither readers nor writers.
    const { rows } = database.execute<{ log: number }>('pragma wal_checkpoint(passive)', []);
    return rows[0]?.log ?? 0;
  } catch {
    // Pages that cannot be moved now, for example because the disk is full, stay in the WAL. Nothing is lost.
    return 0;
  }
}
