import { elicit, failure, type InputRequest, type SkillResult } from '#skill-kit';
import { faultOf } from '../../features/workflows/runs/fault.rules.js';
import type { LimitInForce } from '../../core/skills/skill-catalogue.service.js';
import { hasEnded, type OpenQuestion, type Run } from '../../features/workflows/runs/run.js';

/** A run as the Tasks extension shows it (modelcontextprotocol/ext-tasks, 2026-07-28, "Tasks"). */
export interface Task {
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** How long after its creation the task may be removed; null = not known yet. */
  ttlMs: number | null;
  pollIntervalMs: number;
}

export interface DetailedTask extends Task {
  inputRequests?: Record<string, InputRequest>;
  /** The result that the call would have had. */
  result?: SkillResult & { resultType: 'complete' };
  error?: { code: number; message: string };
}

const POLL_MS = 1_000;
/** For a run that waits, possibly for days. */
const POLL_WAITING_MS = 5_000;
const DAY_MS = 86_400_000;

/** Converts a run to a task, without its outcome. */
export function toTask(run: Run, { retentionDays }: { retentionDays: number }): Task {
  const statusMessage = statusMessageOf(run);
  return {
    taskId: run.id,
    status: statusOf(run),
    ...(statusMessage !== null && { statusMessage }),
    createdAt: run.createdAt.toISOString(),
    lastUpdatedAt: run.updatedAt.toISOString(),
    ttlMs: run.endedAt && run.endedAt.getTime() - run.createdAt.getTime() + retentionDays * DAY_MS,
    pollIntervalMs: run.status === 'waiting' && run.questions === 0 ? POLL_WAITING_MS : POLL_MS,
  };
}

/** Returns the requests to the client that a task waits for, by the names of the asking steps. */
export function toInputRequests(questions: readonly OpenQuestion[]): Record<string, InputRequest> {
  return Object.fromEntries(
    questions.map(({ step, question }) => [step, elicit(question.message, question.schema)] as const),
  );
}

/** Returns the outcome of an ended run: the error or the result that its call would have had. */
export function toOutcome(run: Run, result: SkillResult, limit: LimitInForce): Pick<DetailedTask, 'error' | 'result'> {
  const error = run.error && faultOf(run.error);
  if (error) return { error };
  if (run.status === 'cancelled') return {};
  return { result: { resultType: 'complete', ...withinLimit(run.id, result, limit) } };
}

function statusOf({ status, error, questions }: Run): Task['status'] {
  if (!hasEnded(status)) return questions > 0 ? 'input_required' : 'working';
  if (status === 'cancelled') return 'cancelled';
  // A task is failed only if its call ended with a JSON-RPC error. The failure of a tool is a result.
  return error && faultOf(error) ? 'failed' : 'completed';
}

function statusMessageOf({ status, error, questions, wakeAt }: Run): string | null {
  switch (status) {
    case 'pending':
    case 'running':
    case 'completed':
      return null;
    case 'waiting':
      if (questions > 0) return questions === 1 ? 'It waits for an answer.' : `It waits for ${questions} answers.`;
      return wakeAt ? `It waits until ${wakeAt.toISOString()}.` : 'It waits for an event.';
    case 'failed':
      return error?.detail ?? error?.title ?? null;
    case 'cancelled':
      return 'It was cancelled.';
  }
}

/** Returns the result, or a failure when it is too large for a response. */
function withinLimit(id: string, result: SkillResult, { value, source }: LimitInForce): SkillResult {
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= value) return result;
  return failure(
    `The result is too large: ${bytes} bytes of JSON, the limit is ${value}. The administrator sees it on the page ` +
      `of the run ${id}, and can raise ${source}.`,
  );
}
