import { parentPort } from 'node:worker_threads';
import { loadJq } from 'jq-wasm';
import type { JsonObject } from '../json.js';
import { mistakesOf } from '../schema-validation.js';
import type { Answer, Job, Reply } from './expression-threads.js';

/** Runs jobs, one at a time. The first message signals that the thread is ready. */
let jq = await loadJq();

parentPort?.on('message', (job: Job) => {
  answer(job).then(send, (error: unknown) => {
    throw error;
  });
});
send({ kind: 'done', text: '' });

async function answer(job: Job): Promise<Answer> {
  if (job.kind === 'validate') return validate(job.schema, job.data);
  try {
    const { stdout, stderr, exitCode } = jq.raw(job.input, job.program, ['-c']);
    return exitCode === 0 ? { kind: 'done', text: stdout } : { kind: 'failed', reason: stderr };
  } catch {
    // After a failure that jq does not report itself, such as out of memory, the module is unusable.
    jq = await loadJq();
    return { kind: 'crashed' };
  }
}

function validate(schema: string, data: string): Answer {
  try {
    return { kind: 'done', text: JSON.stringify(mistakesOf(parsedSchema(schema), JSON.parse(data))) };
  } catch (error) {
    return { kind: 'failed', reason: (error as Error).message };
  }
}

const MAX_SCHEMAS = 100;
const schemas = new Map<string, JsonObject>();

/** Returns the same object for the same text, because schemas are compiled once per object. */
function parsedSchema(text: string): JsonObject {
  const schema = schemas.get(text) ?? (JSON.parse(text) as JsonObject);
  if (schemas.size >= MAX_SCHEMAS) schemas.clear();
  schemas.set(text, schema);
  return schema;
}

function send(answer: Answer): void {
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ answer, usedMs: (user + system) / 1000 } satisfies Reply);
}
