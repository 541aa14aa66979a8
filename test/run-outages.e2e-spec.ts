import { jest } from '@jest/globals';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { WorkflowSecretStore } from '../src/features/workflows/secrets/workflow-secret.store.js';
import { DatabaseUnavailable } from '../src/platform/database/database.errors.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const REMEMBER = `document: { dsl: 1.0.3, namespace: team, name: remember, version: 1.0.0 }
use: { secrets: [token] }
do: [{ save: { call: memory_save, with: { key: color, content: '\${ "blue " + $secrets.token }' } } }]
`;

const failure = (kind: { isTooSlow?: boolean } = {}) =>
  new DatabaseUnavailable('it does not answer', { cause: null, isLasting: false, ...kind });

describe('a step of a run while the database fails', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    await service.admin('PUT', 'workflow-secrets/token', { value: 'sky' });
    await service.admin('POST', 'workflows', { definition: REMEMBER });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.stop());

  const memory = () => jest.spyOn(service.app.get(MemoryService, { strict: false }), 'save');
  const secrets = () => jest.spyOn(service.app.get(WorkflowSecretStore, { strict: false }), 'find');

  async function start() {
    const { body } = await service.admin('POST', 'workflows/remember/start', { input: {} });
    const read = async () => (await service.admin('GET', `runs/${String(body['id'])}`)).body;
    const end = async () => {
      await until(async () => (await read())['endedAt'] !== null);
      return read();
    };
    return { id: String(body['id']), read, end };
  }

  it.each([
    ['its tool', memory],
    ['its secret', secrets],
  ])('waits, and is executed again when the database responds (%s)', async (_title, part) => {
    const spy = part();
    spy.mockRejectedValueOnce(failure()).mockRejectedValueOnce(failure());
    const { status, error } = await (await start()).end();
    expect({ status, error }).toEqual({ status: 'completed', error: null });
    expect(spy.mock.calls.length).toBe(3);
    const { body } = await service.admin('GET', 'memory/shared/color');
    expect(body['content']).toContain('blue');
  });

  it('fails when a statement takes too long three times, because it would do so again', async () => {
    const spy = memory().mockRejectedValue(failure({ isTooSlow: true }));
    expect(await (await start()).end()).toMatchObject({ status: 'failed' });
    expect(spy.mock.calls.length).toBe(3);
  });

  it('can be cancelled', async () => {
    const spy = memory().mockRejectedValue(failure());
    const { id, read, end } = await start();
    await until(() => Promise.resolve(spy.mock.calls.length > 1));
    expect((await read())['status']).toBe('running');
    await service.admin('POST', `runs/${id}/cancel`);
    expect((await end())['status']).toBe('cancelled');
  });
});
