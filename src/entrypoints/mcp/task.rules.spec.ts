import type { OpenQuestion, Run } from '../../features/workflows/runs/run.js';
import { toInputRequests, toOutcome, toTask } from './task.rules.js';

const AT = new Date('2026-11-21T12:00:00Z');
const LATER = new Date('2026-11-21T12:00:05Z');
const DAY_MS = 86_400_000;

const newRun = (change: Partial<Run> = {}): Run => ({
  id: 'r1',
  program: 'workflow',
  name: 'report',
  version: '1.0.0',
  status: 'running',
  origin: 'call',
  client: 'alice',
  parent: null,
  isTest: false,
  input: {},
  output: null,
  error: null,
  questions: 0,
  wakeAt: null,
  createdAt: AT,
  updatedAt: AT,
  endedAt: null,
  ...change,
});
const BROKEN = { type: 'x:broken', status: 500, title: 'Broken', detail: 'it broke' };
const RESULT = { content: [{ type: 'text' as const, text: 'done' }] };

describe('a run as a task', () => {
  it.each<[string, Partial<Run>, string, string | undefined, number]>([
    ['has not begun', { status: 'pending' }, 'working', undefined, 1_000],
    ['is under way', { status: 'running' }, 'working', undefined, 1_000],
    [
      'waits for a time',
      { status: 'waiting', wakeAt: LATER },
      'working',
      'It waits until 2026-11-21T12:00:05.000Z.',
      5_000,
    ],
    ['waits for an event', { status: 'waiting' }, 'working', 'It waits for an event.', 5_000],
    ['waits for a person', { status: 'waiting', questions: 1 }, 'input_required', 'It waits for an answer.', 1_000],
    ['asks while it works', { status: 'running', questions: 2 }, 'input_required', undefined, 1_000],
    ['has a result', { status: 'completed', endedAt: LATER }, 'completed', undefined, 1_000],
    ['has failed', { status: 'failed', endedAt: LATER, error: BROKEN }, 'completed', 'it broke', 1_000],
    [
      'ended with a JSON-RPC error',
      { status: 'failed', endedAt: LATER, error: { ...BROKEN, rpcCode: -32602 } },
      'failed',
      'it broke',
      1_000,
    ],
    ['was cancelled', { status: 'cancelled', endedAt: LATER }, 'cancelled', 'It was cancelled.', 1_000],
  ])('that %s', (_case, change, status, statusMessage, pollIntervalMs) => {
    const task = toTask(newRun(change), { retentionDays: 30 });
    expect(task).toMatchObject({ taskId: 'r1', status, pollIntervalMs });
    expect(task.statusMessage).toBe(statusMessage);
    expect(task.ttlMs).toBe(change.endedAt ? 30 * DAY_MS + 5_000 : null);
  });

  it('says when it began and when it last changed', () => {
    const { createdAt, lastUpdatedAt } = toTask(newRun({ updatedAt: LATER }), { retentionDays: 30 });
    expect([createdAt, lastUpdatedAt]).toEqual(['2026-11-21T12:00:00.000Z', '2026-11-21T12:00:05.000Z']);
  });

  it('asks under the names of its steps', () => {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };
    const question: OpenQuestion = {
      runId: 'r1',
      step: '/do/0/ask',
      question: { message: 'Go?', schema },
      notCaller: false,
      askedAt: AT,
    };
    expect(toInputRequests([question])).toEqual({
      '/do/0/ask': { method: 'elicitation/create', params: { mode: 'form', message: 'Go?', requestedSchema: schema } },
    });
  });

  it('ends with the result, the error, or nothing', () => {
    expect(
      toOutcome(newRun({ status: 'completed' }), RESULT, { value: 1_000, source: 'the setting mcp.max_result_bytes' }),
    ).toEqual({
      result: { resultType: 'complete', ...RESULT },
    });
    const fault = newRun({ status: 'failed', error: { ...BROKEN, rpcCode: -32602 } });
    expect(toOutcome(fault, RESULT, { value: 1_000, source: 'the setting mcp.max_result_bytes' })).toEqual({
      error: { code: -32602, message: 'it broke' },
    });
    expect(
      toOutcome(newRun({ status: 'cancelled' }), RESULT, { value: 1_000, source: 'the setting mcp.max_result_bytes' }),
    ).toEqual({});
  });

  it('ends with a failure in the place of a result that no answer has room for', () => {
    const large = { content: [{ type: 'text' as const, text: 'ä'.repeat(500) }] };
    const { result } = toOutcome(newRun({ status: 'completed' }), large, {
      value: 1_000,
      source: 'the setting mcp.max_result_bytes',
    });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain('mcp.max_result_bytes');
  });
});
