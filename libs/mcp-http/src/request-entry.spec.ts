import { Server } from '@modelcontextprotocol/server';
import { requestEntryOf } from './request-entry.js';

describe('requestEntryOf', () => {
  it('finds the entry of the release in use, and does without where there is none', async () => {
    const server = new Server({ name: 'test', version: '1' }, {});
    const answered = Promise.withResolvers<unknown>();
    const send = async (message: unknown) => answered.resolve(message);
    await server.connect({ start: async () => {}, close: async () => {}, send });
    const entry = requestEntryOf(server);
    expect(entry).not.toBeNull();
    entry?.({ jsonrpc: '2.0', id: 7, method: 'ping' }, {});
    expect(await answered.promise).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    expect(requestEntryOf(Object.create(null) as Server)).toBeNull();
  });
});
