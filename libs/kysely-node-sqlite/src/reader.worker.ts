import { parentPort, workerData } from 'node:worker_threads';
import { NodeSqliteDatabase } from './node-sqlite.database.js';
import { packRows } from './packed-rows.js';
import type { ReadAnswer, ReadRequest } from './reader-threads.js';

// A thread that reads the database over its own connection, one statement at a time.
const database = new NodeSqliteDatabase((workerData as { path: string }).path, { readOnly: true });

parentPort?.on('message', ({ sql, parameters }: ReadRequest) => {
  const answer = answerTo(sql, parameters);
  parentPort?.postMessage(answer, 'bytes' in answer && answer.bytes ? [answer.bytes.buffer] : []);
});

function answerTo(sql: string, parameters: readonly unknown[]): ReadAnswer {
  try {
    const { columns, rows } = database.read(sql, parameters);
    return packRows(columns, rows);
  } catch (error) {
    const { message, code, errcode } = error as Error & { code?: string; errcode?: number };
    return { failure: { message, ...(code !== undefined && { code }), ...(errcode !== undefined && { errcode }) } };
  }
}
