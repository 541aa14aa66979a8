import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { TestService } from './support/service.js';
import { Hang, TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

describe('trying a skill in the admin API', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started), { imports: [TestSkillsModule] });

  const attempt = (name: string, args: object = {}, options: { signal?: AbortSignal } = {}) =>
    service.askAdmin('POST', `skills/${name}/try`, { arguments: args }, options);

  const messagesOf = async (response: Response) =>
    (await response.text())
      .split('\n\n')
      .map((event) => /^data: (.*)$/m.exec(event)?.[1])
      .filter((data) => data !== undefined)
      .map((data) => JSON.parse(data) as unknown);

  const textResult = (text: string) => ({ content: [{ type: 'text', text }] });

  it('shows the call as an MCP client would see it', async () => {
    const response = await attempt('slowly', { steps: 2, stepMs: 1 });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const progress = (step: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: step, total: 2, message: `step ${step}` },
    });
    expect(await messagesOf(response)).toEqual([
      progress(1),
      progress(2),
      {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'notice', logger: 'slowly', data: 'all steps done' },
      },
      { jsonrpc: '2.0', id: 1, result: textResult('2 steps, slowly') },
    ]);
  });

  it('passes failures, bad arguments and questions on as results', async () => {
    expect(await messagesOf(await attempt('explode'))).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(await messagesOf(await attempt('echo', { text: 7 }))).toMatchObject([{ id: 1, result: { isError: true } }]);
    expect(await messagesOf(await attempt('ask'))).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'input_required',
          inputRequests: { name: expect.objectContaining({ method: 'elicitation/create' }) as object },
        },
      },
    ]);
  });

  it('cancels the call when the reader goes away', async () => {
    const hang = service.app.get(Hang);
    const controller = new AbortController();
    const response = await attempt('hang', {}, { signal: controller.signal });
    expect(response.status).toBe(200);
    await until(() => hang.running === 1);
    controller.abort();
    await until(() => hang.running === 0);
  });

  it('stops at the time limit like any call', async () => {
    await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 40 });
    const [message] = await messagesOf(await attempt('hang'));
    expect(message).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('40 ms') as string }] },
    });
    await service.admin('DELETE', 'config/mcp.tool_timeout_ms');
  });

  it('refuses a skill that is unknown or disabled before anything is streamed', async () => {
    await service.admin('PUT', 'skills/count', { enabled: false });
    for (const name of ['count', 'nothing']) {
      const response = await attempt(name);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(await response.json()).toMatchObject({ code: 'skills.skill_not_found' });
    }
    await service.admin('PUT', 'skills/count', { enabled: true });
  });

  it('refuses a body without arguments, and callers that are not administrators', async () => {
    expect((await attempt('echo', [])).status).toBe(400);
    expect((await fetch(new URL('/admin/api/skills/echo/try', service.origin), { method: 'POST' })).status).toBe(401);
  });

  it('is not counted with the calls of clients, nor listed with their errors', async () => {
    const counted = async () => {
      await service.app.get(AuditLog, { strict: false }).flush();
      return Number((await service.admin('GET', 'skills/echo')).body['calls']);
    };
    const before = await counted();
    await messagesOf(await attempt('echo', { text: 'hi' }));
    await messagesOf(await attempt('explode'));
    expect(await counted()).toBe(before);
    const { latestErrors, callers } = (await service.admin('GET', 'overview?period=hour')).body;
    expect([latestErrors, callers]).toEqual([[], []]);
    const { items } = (await service.admin('GET', 'audit?client=admin&tool=echo')).body;
    expect(items).toContainEqual(expect.objectContaining({ kind: 'call', client: 'admin', outcome: 'ok' }));
    await service.postStateless('tools/call', { name: 'echo', arguments: { text: 'hi' } });
    expect(await counted()).toBe(before + 1);
  });

  it('does not keep the service from stopping', async () => {
    const other = await TestService.start({ imports: [TestSkillsModule] });
    const response = await other.askAdmin('POST', 'skills/hang/try', { arguments: {} });
    expect(response.status).toBe(200);
    await other.app.close();
    await response.text().catch(() => '');
    await other.stop();
  });
});
