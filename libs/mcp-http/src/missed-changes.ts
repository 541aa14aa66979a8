import type { IncomingMessage } from 'node:http';
import type { JSONRPCNotification } from '@modelcontextprotocol/server';
import type { Caller } from './caller.js';
import { changeNotification, everythingChanged, withoutRepeats } from './change.js';
import { type EndpointOptions, type EndpointTiming, RESUMABLE_SINCE } from './endpoint-options.js';
import { headerOf } from './request-headers.js';
import type { SessionRecord } from './storage.js';
import { processOf } from './stream-owner.js';
import type { WarmSession } from './warm-session.js';

/**
 * Sends clients of older versions, with their next response, the changes that occurred while they had no stream in any process.
 * Older SDKs try to reconnect a broken stream for 2.5 s, and then give up; later versions wait as long as `retry` says.
 */
export class MissedChanges<C extends Caller> {
  constructor(
    private readonly options: Pick<EndpointOptions<C>, 'storage' | 'onStorageError'>,
    private readonly timing: Pick<EndpointTiming, 'checkElsewhereEveryMs'>,
  ) {}

  /** Returns the notifications to send with the response to this request, and marks them as delivered. */
  async take(req: IncomingMessage, session: WarmSession<C>, caller: C): Promise<JSONRPCNotification[]> {
    if (session.hasStream || session.record.protocolVersion >= RESUMABLE_SINCE) return [];
    if (!headerOf(req, 'accept')?.includes('text/event-stream')) return [];
    if (performance.now() < session.streamElsewhereUntilMs) return [];
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
    const { changes, sessions, relay } = this.options.storage;
    const { record } = session;
    const stored = relay ? await sessions.find(record.id) : record;
    if (!stored) return [];
    if (await this.hasStreamElsewhere(stored)) {
      // Ask again later, because that process may die.
      session.isBehind = true;
      session.streamElsewhereUntilMs = performance.now() + this.timing.checkElsewhereEveryMs;
      return [];
    }
    // What a stream here has sent may not be recorded yet.
    const known = { eventSeq: Math.max(stored.eventSeq, record.eventSeq), openStream: stored.openStream };
    const latest = await changes.latest();
    if (latest <= known.eventSeq) return [];
    const logged = await changes.after(known.eventSeq);
    const upTo = logged?.at(-1)?.seq ?? latest;
    const { after, upTo: answeredUpTo } = stored.answered;
    const answered = { after: known.eventSeq === answeredUpTo ? after : known.eventSeq, upTo };
    if (!(await sessions.claimChanges(record.id, known, answered))) {
      session.isBehind = true;
      return [];
    }
    // A process that is alone does not record which streams are open: a stream opened meanwhile sends the changes.
    if (!relay && session.hasStream) return [];
    session.noteDelivered({ eventSeq: upTo, answered });
    const missed = logged ?? everythingChanged(session.subscriptions.list(), latest);
    return withoutRepeats(missed).flatMap(({ event }) => {
      // This era has no tasks.
      if (event.kind === 'task_changed') return [];
      const visible = session.changesFor(event, caller);
      return visible.map((change) => JSON.parse(changeNotification(change)) as JSONRPCNotification);
    });
  }

  /** Returns whether another process has the session's stream, and sends the changes there. */
  private async hasStreamElsewhere({ openStream }: SessionRecord): Promise<boolean> {
    const { relay } = this.options.storage;
    if (!relay || openStream === null) return false;
    const process = processOf(openStream);
    return process !== relay.process && (await relay.isAtWork(process));
  }
}
