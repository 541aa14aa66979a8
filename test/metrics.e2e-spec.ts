import { Registry } from 'prom-client';
import { Administrators } from '../src/access/accounts/administrators.service.js';
import { Database } from '../src/platform/database/database.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { toolCalled } from '../src/platform/events/testing.js';
import { VERSION } from '../src/platform/service-info/version.js';
import { ADMIN_PASSWORD, TestService } from './support/service.js';
import { until } from './support/until.js';

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const ADMIN = basic('admin', ADMIN_PASSWORD);
const COMMENT = /^# (?:HELP|TYPE) [a-z_\d]+ .+$/;
const SAMPLE =
  /^[a-z_\d]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+\})? (?:[-+]?[\d.]+(?:e[-+]?\d+)?|[-+]Inf)(?: \d+)?$/i;

describe('/metrics', () => {
  let service: TestService;
  TestService.forSuite((started) => void (service = started));

  const ask = (authorization?: string) =>
    fetch(new URL('/metrics', service.origin), { headers: authorization === undefined ? {} : { authorization } });
  const lines = async () => (await (await ask(ADMIN)).text()).split('\n');
  const value = async (sample: string) => {
    const line = (await lines()).find((one) => one.startsWith(`${sample} `));
    return line === undefined ? null : Number(line.slice(sample.length + 1));
  };
  const call = (name: string, args: Record<string, unknown> = {}) =>
    service.postStateless('tools/call', { name, arguments: args });
  const callsOf = (tool: string, error: string) =>
    `mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",gen_ai_tool_name="${tool}",error_type="${error}"}`;

  it('is for administrators that may read', async () => {
    const nobody = await ask();
    expect(nobody.status).toBe(401);
    expect(nobody.headers.get('content-type')).toContain('application/problem+json');
    expect((await ask(basic('admin', 'wrong'))).status).toBe(401);
    const administrators = service.app.get(Administrators);
    const statuses = [];
    for (const role of ['member', 'viewer'] as const) {
      const password = (await administrators.create(`a-${role}`, role, null)) ?? '';
      statuses.push((await ask(basic(`a-${role}`, password))).status);
    }
    expect(statuses).toEqual([403, 200]);
  });

  it('is in the text format of Prometheus', async () => {
    const response = await ask(ADMIN);
    expect(response.headers.get('content-type')).toBe(Registry.PROMETHEUS_CONTENT_TYPE);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const [last, ...others] = (await response.text()).split('\n').reverse();
    expect(last).toBe('');
    expect(others.filter((line) => line !== '' && !COMMENT.test(line) && !SAMPLE.test(line))).toEqual([]);
  });

  it('counts calls by tool and outcome, and names no tool that does not exist', async () => {
    await call('system_info');
    await call('system_info', { unknown: true });
    await call('memory_search', { query: 5 });
    await call('no_such_tool');
    expect(await value(callsOf('system_info', ''))).toBe(1);
    expect(await value(callsOf('system_info', 'invalid'))).toBe(1);
    expect(await value(callsOf('', 'unknown'))).toBe(1);
    expect((await lines()).join()).not.toContain('no_such_tool');
  });

  it('tells how long calls took, in seconds', async () => {
    const before = await value(callsOf('memory_save', ''));
    await call('memory_save', { namespace: 'a', key: 'b', content: 'c' });
    expect([before, await value(callsOf('memory_save', ''))]).toEqual([null, 1]);
    const sum = await value(callsOf('memory_save', '').replace('_count', '_sum'));
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(60);
    expect(await value(callsOf('memory_save', '').replace('_count{', '_bucket{le="300",'))).toBe(1);
  });

  it('counts refused requests', async () => {
    await service.post({}, { authorization: 'Bearer wrong' });
    expect(await value('agent_service_keys_refused_total')).toBe(1);
    expect(await value('agent_service_rate_limited_total{scope="client"}')).toBe(0);
    await service.admin('PUT', 'config/mcp.rate_limit_per_minute', { value: 1 });
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await call('system_info')).status);
    await service.admin('DELETE', 'config/mcp.rate_limit_per_minute');
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(await value('agent_service_rate_limited_total{scope="client"}')).toBe(refused);
  });

  it('counts requests beyond a limit of what may be open at once', async () => {
    const refusedBy = (limit: string) => value(`agent_service_limit_exceeded_total{limit="${limit}",scope="client"}`);
    expect(await Promise.all(['calls', 'streams', 'sessions'].map(refusedBy))).toEqual([0, 0, 0]);
    await service.admin('PUT', 'config/mcp.max_sessions_per_key', { value: 1 });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const statuses = [];
    for (let id = 1; id <= 3; id += 1)
      statuses.push((await service.post({ jsonrpc: '2.0', id, method: 'initialize', params })).status);
    await service.admin('DELETE', 'config/mcp.max_sessions_per_key');
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(await Promise.all(['calls', 'streams', 'sessions'].map(refusedBy))).toEqual([0, 0, refused]);
  });

  it('counts the runs that ended', async () => {
    const before = ['completed', 'failed', 'cancelled'].map((one) => `agent_service_runs_ended_total{status="${one}"}`);
    expect(await Promise.all(before.map(value))).toEqual([0, 0, 0]);
    const document = { dsl: '1.0.3', namespace: 'tests', name: 'counted', version: '1.0.0' };
    const definition = JSON.stringify({ document, do: [{ sets: { set: { a: 1 } } }] });
    expect((await service.admin('POST', 'workflows', { definition })).status).toBe(201);
    await call('counted');
    await until(async () => (await value('agent_service_runs_ended_total{status="completed"}')) === 1);
  });

  it('tells the state of the replica', async () => {
    const before = (await value('agent_service_sessions')) ?? NaN;
    await service.openSession();
    expect(await value('agent_service_sessions')).toBe(before + 1);
    expect(await value(`agent_service_info{version="${VERSION}"}`)).toBe(1);
    expect(await value('agent_service_database_up')).toBe(1);
    expect(await value('agent_service_streams')).toBe(0);
    expect(await value('agent_service_unhandled_errors_total')).toBe(0);
    expect(await value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(await value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  });

  it('adds up the calls of further tools when there are many', async () => {
    const events = service.app.get(EventBus, { strict: false });
    for (let i = 0; i < 250; i += 1) events.emit('tool.called', toolCalled({ tool: `tool_${i}`, durationMs: 250_000 }));
    const named = (await lines()).filter((line) => /_count\{.*"tool_\d+"/.test(line)).length;
    expect(named).toBeGreaterThan(150);
    expect(named).toBeLessThan(200);
    expect(await value(callsOf('other', ''))).toBe(250 - named);
  });

  it('answers while the database takes nothing', async () => {
    await service.app.get(Database).schema.dropTable('facts').execute();
    await until(async () => (await value('agent_service_database_up')) === 0);
    expect(await value('agent_service_sessions')).toBeNull();
  });
});
