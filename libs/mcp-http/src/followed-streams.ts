import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '#bounded-json';
import { type Caller, type Revocation, isRevoked } from './caller.js';
import type { EndpointOptions, EndpointTiming } from './endpoint-options.js';
import type { EventStreams } from './event-stream.js';
import { eventIdOf, inTime } from './resumable-stream.js';
import { ErrorCode, errorMessage, type WireError } from './json-rpc.js';
import { ALONE, type Relay } from './relay.js';
import { PARTLY_DONE } from './refusals.js';
import { isClosed } from './responses.js';
import type { JournaledStream, StreamJournal } from './storage.js';

/** Minimum interval at which the process that serves a call is notified that its client is still there. */
const NOTIFY_EVERY_MS = 2_000;

/** Position from which a client continues. */
interface Place {
  streamId: string;
  /** Number of the last message that it received. */
  seq: number;
}

/** The recorded response streams that clients continue to read here, while another process serves the call. */
export class FollowedStreams {
  private readonly open = new Map<ServerResponse, Caller>();

  constructor(
    private readonly options: Pick<EndpointOptions<Caller>, 'storage' | 'onStorageError'>,
    private readonly parts: { timing: EndpointTiming; events: EventStreams },
  ) {}

  /**
   * Writes the recorded messages, and what another process continues to record, until the call has its response. A call that no
   * process serves any more gets an error as its response.
   */
  async serve(res: ServerResponse, caller: Caller, { streamId, seq }: Place): Promise<void> {
    const { events, timing } = this.parts;
    this.open.set(res, caller);
    const stopKeepAlive = events.keepAlive.add(() => events.comment(res));
    const place = { streamId, seq };
    try {
      await this.follow(res, place);
    } catch (error) {
      this.options.onStorageError(error);
      // The client resumes from its last event id, which a stream without an event would lose.
      events.primer(res, eventIdOf(place));
      events.retry(res, timing.retryMs);
    } finally {
      stopKeepAlive();
      this.open.delete(res);
      res.end();
    }
  }

  /** Ends the streams covered by a cut-off, or all streams. */
  end(whose?: Revocation): void {
    for (const [res, caller] of this.open) if (whose === undefined || isRevoked(caller, whose)) res.end();
  }

  /** Advances the position with each message written. @throws when the journal cannot be read */
  private async follow(res: ServerResponse, place: Place): Promise<void> {
    const { streamId } = place;
    let notifiedAtMs = -Infinity;
    while (!res.writableEnded && !isClosed(res)) {
      // In this order: nothing is recorded after the end, or by a process that has died.
      const stream = await this.read((journal) => journal.find(streamId));
      const isServed = stream !== null && (await this.isServed(stream));
      for (const entry of await this.read((journal) => journal.after(streamId, place.seq))) {
        this.parts.events.event(res, entry.message, eventIdOf({ streamId, seq: entry.seq }));
        place.seq = entry.seq;
      }
      if (!isServed) return stream ? this.answerLost(res, streamId, stream) : undefined;
      if (performance.now() - notifiedAtMs >= NOTIFY_EVERY_MS) {
        await this.relay.send({ kind: 'stream_followed', streamId });
        notifiedAtMs = performance.now();
      }
      await delay(this.parts.timing.followEveryMs);
    }
  }

  /** Answers the requests that no process serves any more: otherwise their caller would wait forever. */
  private async answerLost(res: ServerResponse, streamId: string, stream: JournaledStream): Promise<void> {
    const { requestIds } = stream;
    const lost = stream.finished || stream.process === this.relay.process ? ANSWER_LOST : PROCESS_LOST;
    const recorded = await this.read((journal) => journal.after(streamId, 0));
    // Responses come last.
    const answered = new Set(recorded.slice(-requestIds.length).map(({ message }) => answeredBy(message)));
    for (const id of requestIds) {
      if (!answered.has(id)) this.parts.events.event(res, JSON.stringify(errorMessage(id, lost)));
    }
  }

  /** Returns whether another process may still record messages. Streams that this process serves are not followed. */
  private async isServed({ finished, process }: JournaledStream): Promise<boolean> {
    return !finished && process !== this.relay.process && (await this.relay.isAtWork(process));
  }

  private read<Result>(question: (journal: StreamJournal) => Promise<Result>): Promise<Result> {
    return inTime(question(this.options.storage.journal), this.parts.timing.readWithinMs, 'the stream was not read');
  }

  private get relay(): Relay {
    return this.options.storage.relay ?? ALONE;
  }
}

/** Returns the id of the request that a recorded message answers; null when it is not a response. */
function answeredBy(message: string): unknown {
  const value: unknown = JSON.parse(message);
  return isObject(value) && !('method' in value) ? value['id'] : null;
}

const callLost = (why: string): WireError => ({
  httpStatus: 200,
  code: ErrorCode.internalError,
  message: `The call has no answer: ${why}. ${PARTLY_DONE}`,
});
const PROCESS_LOST = callLost('the process that served it has ended');
const ANSWER_LOST = callLost('it has ended, and its answer was not kept');
