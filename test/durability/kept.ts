import { randomUUID } from 'node:crypto';
import type { Random } from '../fuzz/random.js';
import type { Door } from './door.js';
import { type Kept, Unanswered, type Value } from './model.js';

/** Everything that the model tests: some items of each kind. */
export function everythingKept(door: Door): [Kept, ...Kept[]] {
  const numbered = (count: number, make: (number: number) => Kept) => Array.from({ length: count }, (_, n) => make(n));
  return [
    apiKey(door),
    ...numbered(12, (number) => memoryEntry(door, `k${number}`)),
    ...numbered(12, (number) => importedDocument(door, `notes/${number}.txt`)),
    ...['rss.retention_days', 'rss.poll_interval_minutes', 'runs.retention_days'].map((key) => setting(door, key)),
    skillSwitch(door, 'system_info'),
    skillSwitch(door, 'feed_items'),
    ...numbered(4, (number) => session(door, number)),
  ];
}

export function documentsAndEntries(door: Door, client: number): Kept[] {
  return [memoryEntry(door, `c${client}`), memoryEntry(door, `d${client}`), importedDocument(door, `c/${client}.txt`)];
}

/** Text with a unique word, sometimes a long one. */
function text(random: Random): string {
  const word = `w${random.integer(0, 2 ** 31).toString(36)}x`;
  return `${word} ${'filler words of no meaning '.repeat(random.chance(0.1) ? random.integer(100, 1_000) : 3)}${word}`;
}

const textOrNothing = (random: Random): Value => (random.chance(0.2) ? null : text(random));

function memoryEntry(door: Door, key: string): Kept {
  return {
    name: `memory ${key}`,
    next: textOrNothing,
    put: async (value) => {
      if (value === null) await door.call('memory_remove', { key }).catch(unlessMissing);
      else await door.call('memory_save', { key, content: value });
      return value;
    },
    get: async () => {
      const { status, body } = await door.admin('GET', `memory/shared/${key}`);
      return status === 404 ? null : String(body['content']);
    },
  };
}

/** Removing what does not exist fails, but it is gone all the same. */
function unlessMissing(error: unknown): void {
  if (!(error instanceof Unanswered) || !/no (such )?entry|there is no|not found/i.test(error.message)) throw error;
}

function importedDocument(door: Door, path: string): Kept {
  const find = async () => {
    const { body } = await door.admin('GET', 'knowledge?limit=100');
    return (body['items'] as { id: string; path: string }[]).find((document) => document.path === path)?.id;
  };
  return {
    name: `document ${path}`,
    next: textOrNothing,
    put: async (value) => {
      if (value === null) {
        const id = await find();
        if (id) await door.admin('DELETE', `knowledge/${id}`);
        return null;
      }
      const { body } = await door.admin('POST', 'knowledge/import', { files: [{ path, content: value }] });
      const [file] = body['files'] as { outcome: string; problem: string | null }[];
      if (file?.outcome === 'failed') throw new Unanswered(String(file.problem));
      return value;
    },
    get: async () => {
      const id = await find();
      return id === undefined ? null : String((await door.admin('GET', `knowledge/${id}`)).body['content']);
    },
  };
}

function setting(door: Door, key: string): Kept {
  return {
    name: `setting ${key}`,
    next: (random) => (random.chance(0.2) ? null : String(random.integer(1, 3_650))),
    put: async (value) => {
      if (value === null) await door.admin('DELETE', `config/${key}`);
      else await door.admin('PUT', `config/${key}`, { value: Number(value) });
      return value;
    },
    get: async () => {
      const { body } = await door.admin('GET', `config/${key}`);
      return body['source'] === 'default' ? null : String(body['value']);
    },
  };
}

function apiKey(door: Door): Kept {
  return {
    name: 'the API key',
    next: () => `key-${randomUUID()}`,
    put: async (value) => {
      await door.admin('PUT', 'config/mcp.api_key', { value });
      return (door.key = String(value));
    },
    get: async (possible) => {
      for (const key of possible) {
        if (key === null || !(await door.takes(key))) continue;
        return (door.key = key);
      }
      return null;
    },
  };
}

function skillSwitch(door: Door, name: string): Kept {
  return {
    name: `skill ${name}`,
    // Null: the default, which is on.
    next: (random) => (random.chance(0.5) ? null : 'off'),
    put: async (value) => {
      await door.admin('PUT', `skills/${name}`, { enabled: value === null });
      return value;
    },
    get: async () => ((await door.admin('GET', `skills/${name}`)).body['enabled'] === true ? null : 'off'),
  };
}

/** A session ends with the key that opened it, and `mcp.api_key` changes all the time: so each session has its own client. */
function session(door: Door, number: number): Kept {
  let id: string | null = null;
  let key: string | null = null; // null = no client creation has been acknowledged yet
  const bearer = () => ({ authorization: `Bearer ${key}` });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  return {
    name: `session ${number}`,
    next: (random) => (random.chance(0.3) ? null : id),
    put: async (value) => {
      if (value === null && id !== null) {
        await door.mcp('DELETE', { ...bearer(), 'mcp-session-id': id });
        return (id = null);
      }
      key ??= await newKey(door);
      if (id === null) id = await initialize(door, bearer());
      return id;
    },
    get: async () => {
      if (id === null) return null;
      const { status } = await door.mcp('POST', { ...bearer(), 'mcp-session-id': id }, ping);
      if (status === 404) id = null;
      return id;
    },
  };
}

/** Returns the key of a new client. A client whose creation was not acknowledged has a name that is never used again. */
async function newKey(door: Door): Promise<string> {
  const { body } = await door.admin('POST', 'clients', { name: `session-${randomUUID()}` });
  return String(body['key']);
}

async function initialize(door: Door, headers: Record<string, string>): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'model', version: '1' } };
  const { sessionId } = await door.mcp('POST', headers, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  if (sessionId === null) throw new Unanswered('no session');
  return sessionId;
}
