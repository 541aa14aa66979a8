import { parentPort, workerData } from 'node:worker_threads';
import { NodeSqliteDatabase } from './node-sqlite.database.js';

// A thread that moves the log into the database on a connection of its own, whenever it is told to. Answers with the
// number of pages that the log has.
const database = new NodeSqliteDatabase((workerData as { path: string }).path);

parentPort?.on('message', () => parentPort?.postMessage(moveLog()));

function moveLog(): number {
  try {
    // Waits for nobody, and holds up neither those who read nor those who write.
    const { rows } = database.execute<{ log: number }>('pragma wal_checkpoint(passive)', []);
    return rows[0]?.log ?? 0;
  } catch {
    // What cannot be moved now, because the disk is full for example, stays in the log, and nothing is lost.
    return 0;
  }
}
