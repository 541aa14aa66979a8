import { jest } from '@jest/globals';
import type { ServerContext } from '@modelcontextprotocol/server';
import { inputRequired } from '#skill-kit';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { InputRequests } from '../../src/entrypoints/mcp/input-requests.service.js';
import { SecretStore } from '../../src/platform/secrets/secret.store.js';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';

const HOUR_MS = 3_600_000;

/** The context that a handler gets for a request of this client. */
const from = (name: string): ServerContext => {
  const http = { authInfo: { token: '', clientId: name, scopes: [], extra: { caller: { name } } } };
  return { http } as Partial<ServerContext> as ServerContext;
};

const CALL = { method: 'tools/call', name: 'a', arguments: { of: 'x', deep: { b: [1, 2], c: null } } } as const;

describe('the state between two rounds of a call', () => {
  let requests: InputRequests;
  const sealedFor = async (client: string) =>
    (await requests.toResult(CALL, inputRequired({ state: { round: 1 } }), from(client))).requestState ?? '';

  beforeEach(async () => {
    requests = new InputRequests(new SecretsService(new SecretStore(await memoryDatabase())));
    await requests.onModuleInit();
  });
  afterEach(() => void jest.useRealTimers());

  // Shows in 2026-07-28: input.principal
  it('is opened for the client that got it, and for no other', async () => {
    const sealed = await sealedFor('alice');
    expect(await requests.verify(sealed, from('alice'))).toMatchObject({ state: { round: 1 } });
    await expect(requests.verify(sealed, from('mallory'))).rejects.toThrow();
  });

  it('is taken for the call that it was made for, and for no other', async () => {
    const sealed = await requests.verify(await sealedFor('alice'), from('alice'));
    const mcpReq: object = { requestState: () => sealed, inputResponses: { name: { action: 'accept' } } };
    const context = { ...from('alice'), mcpReq } as Partial<ServerContext> as ServerContext;
    const reordered = { ...CALL, arguments: { deep: { c: null, b: [1, 2] }, of: 'x' } };
    for (const same of [CALL, reordered])
      expect(requests.answersOf(same, context)).toEqual({
        answers: { name: { action: 'accept' } },
        state: { round: 1 },
      });
    for (const other of [
      { method: 'prompts/get' as const },
      { name: 'b' },
      { name: 'a2' },
      { arguments: {} },
      { arguments: { ...CALL.arguments, of: 'y' } },
      { arguments: { ...CALL.arguments, deep: { b: [2, 1], c: null } } },
    ])
      expect(() => requests.answersOf({ ...CALL, ...other }, context)).toThrow('it belongs to another call');
  });

  // Shows in 2026-07-28: input.expired
  it('is opened for an hour, and not later', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const sealed = await sealedFor('alice');
    jest.setSystemTime(HOUR_MS - 2_000);
    expect(await requests.verify(sealed, from('alice'))).toMatchObject({ state: { round: 1 } });
    jest.setSystemTime(HOUR_MS + 2_000);
    await expect(requests.verify(sealed, from('alice'))).rejects.toThrow();
  });
});
