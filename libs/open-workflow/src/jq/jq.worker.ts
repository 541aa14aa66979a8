import { parentPort } from 'node:worker_threads';
import { loadJq } from 'jq-wasm';
import type { JqAnswer, JqJob, JqReply } from './jq-thread.js';

/** Runs jq programs, one at a time. The first message says that the thread is ready. */
let jq = await loadJq();

parentPort?.on('message', (job: JqJob) => {
  answer(job).then(send, (error: unknown) => {
    throw error;
  });
});
send({ kind: 'done', stdout: '' });

async function answer({ program, input }: JqJob): Promise<JqAnswer> {
  try {
    const { stdout, stderr, exitCode } = jq.raw(input, program, ['-c']);
    return exitCode === 0 ? { kind: 'done', stdout } : { kind: 'failed', stderr };
  } catch {
    // What jq does not report itself, such as the end of its memory, leaves the module in no state to go on with.
    jq = await loadJq();
    return { kind: 'crashed' };
  }
}

function send(answer: JqAnswer): void {
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ answer, usedMs: (user + system) / 1000 } satisfies JqReply);
}
