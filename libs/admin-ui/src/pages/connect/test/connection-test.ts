import { isJson, type Json, type Message, resultOf } from '../../../mcp/json-rpc';
import { type Failure, failureOf, failureOfException } from './advice';
import { type Answer, type Outgoing, request, type Send } from './exchange';

const SESSION_VERSION = '2025-06-18';
const STATELESS_VERSION = '2026-07-28';
const CLIENT = { name: 'agent-service-admin', version: '1.0.0' };
const TOOL = { name: 'system_info', arguments: {} };
const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface StepResult {
  title: string;
  /** The protocol era of the step. */
  protocolVersion: string;
  durationMs: number;
  failure: Failure | null;
  /** Summary of the response. */
  summary: string;
  message: Message | null;
}

interface Step {
  title: string;
  outgoing: Outgoing;
  summarize: (answer: Answer) => string;
}

/** Talks to the endpoint like an MCP client, first with a session and then without, and yields each finished step. */
export async function* testConnection(send: Send, now: () => number): AsyncGenerator<StepResult> {
  yield* testWithSession(send, now);
  yield* testStateless(send, now);
}

async function* testWithSession(send: Send, now: () => number): AsyncGenerator<StepResult> {
  const take = (step: Step) => takeStep(step, SESSION_VERSION, send, now);
  const opened = await take(INITIALIZE);
  yield opened.result;
  if (opened.result.failure) return;
  const sessionId = opened.answer?.sessionId;
  const headers = { 'MCP-Protocol-Version': SESSION_VERSION, ...(sessionId && { 'Mcp-Session-Id': sessionId }) };
  yield (await take(initialized(headers))).result;
  yield* callListed(take, sessionRequests(headers));
  yield (await take(ended(headers))).result;
}

const INITIALIZE: Step = {
  title: 'Open a session (initialize)',
  outgoing: {
    method: 'POST',
    body: request(1, 'initialize', { protocolVersion: SESSION_VERSION, capabilities: {}, clientInfo: CLIENT }),
  },
  summarize: ({ message }) => serverIn(message, 'serverInfo'),
};

const initialized = (headers: Record<string, string>): Step => ({
  title: 'Confirm it (notifications/initialized)',
  outgoing: { method: 'POST', headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } },
  summarize: () => 'Accepted',
});

const ended = (headers: Record<string, string>): Step => ({
  title: 'End the session (DELETE)',
  outgoing: { method: 'DELETE', headers },
  summarize: () => 'Ended',
});

/** Talks to the endpoint without a session. */
export async function* testStateless(send: Send, now: () => number): AsyncGenerator<StepResult> {
  const take = (step: Step) => takeStep(step, STATELESS_VERSION, send, now);
  const { result } = await take(DISCOVER);
  yield result;
  if (!result.failure) yield* callListed(take, statelessRequest);
}

type Take = (step: Step) => Promise<{ answer: Answer | null; result: StepResult }>;
type MakeRequest = (id: number, method: string, params: Json) => Outgoing;

/** Lists the skills, and calls one if the key may: a disabled skill is not a failure of the connection. */
async function* callListed(take: Take, make: MakeRequest): AsyncGenerator<StepResult> {
  const listed = await take({
    title: 'List the skills (tools/list)',
    outgoing: make(2, 'tools/list', {}),
    summarize: ({ message }) => offered(namesIn(message)),
  });
  yield listed.result;
  if (listed.result.failure || !namesIn(listed.answer?.message ?? null).includes(TOOL.name)) return;
  const call = { outgoing: make(3, 'tools/call', TOOL), summarize: ({ message }: Answer) => textIn(message) };
  yield (await take({ title: 'Call a skill (tools/call system_info)', ...call })).result;
}

function offered(names: readonly string[]): string {
  const count = `${names.length} ${names.length === 1 ? 'skill' : 'skills'}`;
  return names.includes(TOOL.name)
    ? count
    : `${count}, and ${TOOL.name} is not among them, so none is called: it is disabled under Skills, or policies do not permit it to this key`;
}

const namesIn = (message: Message | null): string[] => {
  const tools = message && resultOf(message)?.['tools'];
  return Array.isArray(tools) ? tools.filter(isJson).map(({ name }) => String(name)) : [];
};

const sessionRequests =
  (headers: Record<string, string>): MakeRequest =>
  (id, method, params) => ({ method: 'POST', headers, body: request(id, method, params) });

const statelessRequest: MakeRequest = (id, method, params) => ({
  method: 'POST',
  headers: {
    'MCP-Protocol-Version': STATELESS_VERSION,
    'Mcp-Method': method,
    ...(typeof params['name'] === 'string' && { 'Mcp-Name': params['name'] }),
  },
  body: request(id, method, { ...params, _meta: META }),
});

const DISCOVER: Step = {
  title: 'Ask what it can do (server/discover)',
  outgoing: statelessRequest(1, 'server/discover', {}),
  summarize: ({ message }) => serverIn(message, 'serverInfo'),
};

async function takeStep({ title, outgoing, summarize }: Step, protocolVersion: string, send: Send, now: () => number) {
  const startedAt = now();
  const done = (answer: Answer | null, failure: Failure | null, summary: string) => ({
    answer,
    result: {
      title,
      protocolVersion,
      durationMs: now() - startedAt,
      failure,
      summary,
      message: answer?.message ?? null,
    },
  });
  try {
    const answer = await send(outgoing);
    const failure = failureOf(answer);
    return done(answer, failure, failure?.problem ?? summarize(answer));
  } catch (error) {
    const failure = failureOfException(error);
    return done(null, failure, failure.problem);
  }
}

function serverIn(message: Message | null, key: string): string {
  const result = message && resultOf(message);
  const meta = result?.['_meta'];
  const server = result?.[key] ?? (isJson(meta) ? meta[`io.modelcontextprotocol/${key}`] : undefined);
  return isJson(server) ? `${String(server['name'])} ${String(server['version'])}` : 'Answered';
}

function textIn(message: Message | null): string {
  const content = message && resultOf(message)?.['content'];
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return isJson(first) && typeof first['text'] === 'string' ? first['text'] : 'Answered';
}
