import { isJson, type Json } from '../../../mcp/json-rpc';
import type { StepResult } from '../test/connection-test';

/** The functions of the page that the steps of the test need. */
export interface Bench {
  fetch: typeof globalThis.fetch;
  now: () => number;
  report: (step: StepResult) => void;
}

/** Thrown when a step has failed. */
export class StepFailed extends Error {
  constructor(
    problem: string,
    readonly fix: string,
  ) {
    super(problem);
  }
}

/** The result of a step, with a summary. */
interface Found<Value> {
  value: Value;
  summary: string;
}

/** Runs one step and reports it. @throws StepFailed after reporting it */
export async function takeStep<Value>(bench: Bench, title: string, work: () => Promise<Found<Value>>): Promise<Value> {
  const startedAt = bench.now();
  const report = (summary: string, failure: StepResult['failure']) =>
    bench.report({
      title,
      protocolVersion: 'OAuth 2.1',
      durationMs: bench.now() - startedAt,
      failure,
      summary,
      message: null,
    });
  try {
    const { value, summary } = await work();
    report(summary, null);
    return value;
  } catch (error) {
    const failed = error instanceof StepFailed ? error : new StepFailed(String(error), UNREACHABLE);
    report(failed.message, { problem: failed.message, fix: failed.fix });
    throw failed;
  }
}

const UNREACHABLE = 'Check that the service is running, and that a proxy in front of it forwards this path.';

/** Sends a request as a program does, without the cookies of the page. @throws StepFailed when the response is not JSON */
export async function askJson(bench: Bench, url: string, fix: string, init: RequestInit = {}): Promise<Json> {
  const response = await bench.fetch(url, { ...init, credentials: 'omit', cache: 'no-store' });
  const text = await response.text();
  const answer = parse(text);
  if (!response.ok) {
    const detail = answer && [answer['error'], answer['error_description']].filter(Boolean).join(': ');
    throw new StepFailed(`${url} answers HTTP ${response.status}${detail ? `, ${detail}` : ''}`, fix);
  }
  if (!answer) throw new StepFailed(`${url} does not answer with JSON`, fix);
  return answer;
}

/** Sends a form, as in RFC 6749. @throws StepFailed */
export const askForm = (bench: Bench, url: string, fix: string, form: Record<string, string>): Promise<Json> =>
  askJson(bench, url, fix, { method: 'POST', body: new URLSearchParams(form) });

/** Returns a string of a response. @throws StepFailed when there is none */
export function textOf(answer: Json, name: string, fix: string): string {
  const value = answer[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new StepFailed(`the answer has no ${name}`, fix);
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
}
