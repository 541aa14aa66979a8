import { Server } from '@modelcontextprotocol/server';
import { requestEntryOf } from './request-entry.js';

describe('requestEntryOf', () => {
  it('finds the entry of the release in use, and does without where there is none', async () => {
    const server = new Server({ name: 'test', version: '1' }, {});
    const answered = new Promise((resolve) => {
      void server.connect({ start: async () => {}, close: async () => {}, send: async (message) => resolve(message) });
    });
    const entry = requestEntryOf(server);
    expect(entry).not.toBeNull();
    entry?.({ jsonrpc: '2.0', id: 7, method: 'ping' }, {});
    expect(await answered).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    expect(requestEntryOf(Object.create(null) as Server)).toBeNull();
  });
});
