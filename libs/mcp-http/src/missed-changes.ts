import type { IncomingMessage } from 'node:http';
import type { JSONRPCNotification } from '@modelcontextprotocol/server';
import type { Caller } from './caller.js';
import { changeNotification, everythingChanged, withoutRepeats } from './change.js';
import { type EndpointOptions, RESUMABLE_SINCE } from './endpoint-options.js';
import { headerOf } from './request-headers.js';
import type { WarmSession } from './warm-session.js';

/**
 * Tells clients of older versions what changed while they had no stream, with their next answer. Clients made with older SDKs
 * try for 2.5 s to open a stream again that broke, and then never again; later versions wait as long as they are told.
 */
export class MissedChanges<C extends Caller> {
  constructor(private readonly options: Pick<EndpointOptions<C>, 'storage' | 'onStorageError'>) {}

  /** Returns what the client is to be told with the answer to this request; from now on it counts as told. */
  async take(req: IncomingMessage, session: WarmSession<C>, caller: C): Promise<JSONRPCNotification[]> {
    if (session.hasStream || session.record.protocolVersion >= RESUMABLE_SINCE) return [];
    if (!headerOf(req, 'accept')?.includes('text/event-stream')) return [];
    session.isBehind = false;
    try {
      return await this.read(session, caller);
    } catch (error) {
      session.isBehind = true;
      this.options.onStorageError(error);
      return [];
    }
  }

  private async read(session: WarmSession<C>, caller: C): Promise<JSONRPCNotification[]> {
    const { changes, sessions } = this.options.storage;
    const { record } = session;
    const latest = await changes.latest();
    if (latest <= record.eventSeq) return [];
    const missed = (await changes.after(record.eventSeq)) ?? everythingChanged(session.subscriptions.list(), latest);
    record.eventSeq = latest;
    sessions.saveEventSeq(record.id, latest).catch(this.options.onStorageError);
    return withoutRepeats(missed).flatMap(({ event }) => {
      // This era has no tasks.
      if (event.kind === 'task_changed') return [];
      const told = session.toldOf(event, caller);
      return told.map((change) => JSON.parse(changeNotification(change)) as JSONRPCNotification);
    });
  }
}
