import type { LoggedChange } from './change.js';
import type { EndpointStorage, JournaledStream, SessionRecord } from './storage.js';

/** Returns a storage in the memory of this process, for tests. A restart loses its contents. */
export function memoryStorage(): EndpointStorage {
  const sessions = new Map<string, SessionRecord>();
  const changes: LoggedChange[] = [];
  const streams = new Map<string, JournaledStream & { messages: { seq: number; message: string }[] }>();
  const update = (id: string, changes: Partial<SessionRecord>) => {
    const record = sessions.get(id);
    if (record) sessions.set(id, { ...record, ...changes });
  };
  const ownedBy = (client: string | null) =>
    [...sessions.values()].filter((record) => client === null || record.client === client);
  return {
    sessions: {
      find: async (id) => sessions.get(id),
      listByIds: async (ids) => ids.flatMap((id) => sessions.get(id) ?? []),
      create: async (record) => void sessions.set(record.id, record),
      touch: async (id, lastSeenAt) => update(id, { lastSeenAt }),
      saveLogLevel: async (id, logLevel) => update(id, { logLevel }),
      saveSubscriptions: async (id, { added, removed }) => {
        const kept = sessions.get(id)?.subscriptions.filter((uri) => !removed.includes(uri)) ?? [];
        update(id, { subscriptions: [...new Set([...kept, ...added])] });
      },
      openStream: async (id, openStream) => {
        update(id, { openStream });
        return sessions.get(id);
      },
      closeStream: async (id, name, seq) => {
        const record = sessions.get(id);
        if (!record) return;
        const openStream = record.openStream === name ? null : record.openStream;
        update(id, { openStream, eventSeq: Math.max(record.eventSeq, seq) });
      },
      claimChanges: async (id, known, answered) => {
        const record = sessions.get(id);
        if (!record || record.eventSeq > known.eventSeq || record.openStream !== known.openStream) return false;
        update(id, { eventSeq: answered.upTo, answered, openStream: null });
        return true;
      },
      delete: async (id) => sessions.delete(id),
      count: async (client) => ownedBy(client).length,
      deleteUnused: async ({ client, before, limit }) => {
        const unused = ownedBy(client).filter(({ lastSeenAt }) => lastSeenAt < before);
        unused.sort((a, b) => a.lastSeenAt.getTime() - b.lastSeenAt.getTime());
        return unused.slice(0, limit).filter(({ id }) => sessions.delete(id)).length;
      },
    },
    changes: {
      append: async (...events) => {
        for (const event of events) changes.push({ seq: changes.length + 1, event });
        return changes.length;
      },
      latest: async () => changes.length,
      after: async (seq) => changes.slice(seq),
    },
    journal: {
      open: async (id, stream) => void streams.set(id, { ...stream, finished: false, messages: [] }),
      append: async (id, seq, message) => void streams.get(id)?.messages.push({ seq, message }),
      forget: async (id, seq) => {
        const stream = streams.get(id);
        if (stream) stream.messages = stream.messages.filter((entry) => entry.seq > seq);
      },
      finish: async (id) => {
        const stream = streams.get(id);
        if (stream) stream.finished = true;
      },
      // Nothing is dropped here, delivered or not.
      deliver: async () => undefined,
      find: async (id) => streams.get(id) ?? null,
      after: async (id, seq) => streams.get(id)?.messages.filter((entry) => entry.seq > seq) ?? [],
    },
    relay: null,
  };
}
