import { ProtocolError } from '@modelcontextprotocol/server';
import type { EndpointOptions, ResourceSubscriptions } from './endpoint-options.js';
import { ErrorCode } from './json-rpc.js';
import { subscriptionsProblem } from './refusals.js';
import type { SessionRecord } from './storage.js';
import { WatchedUris } from './watched-uris.js';

/** The resources that a session watches, in memory and in its record. */
export class SessionSubscriptions implements ResourceSubscriptions {
  private readonly uris: WatchedUris;
  private bytes: number;
  private lastSave: Promise<void> = Promise.resolve();
  private nextSave: Promise<void> | null = null; // null = none waits to begin

  constructor(
    private readonly session: SessionRecord,
    private readonly options: Pick<EndpointOptions<never>, 'protocol' | 'storage' | 'limits' | 'onStorageError'>,
  ) {
    this.uris = new WatchedUris((uri) => options.protocol.canonicalUri(uri), session.subscriptions);
    this.bytes = session.subscriptions.reduce((bytes, uri) => bytes + uri.length, 0);
  }

  /** Returns the URIs that the client wrote for the resource at a URI; none when it does not watch it. */
  writtenFor(uri: string): readonly string[] {
    return this.uris.writtenFor(uri);
  }

  list(): Iterable<string> {
    return this.uris;
  }

  async add(uri: string): Promise<void> {
    if (this.uris.has(uri)) return;
    const problem = subscriptionsProblem(
      { count: this.uris.size + 1, bytes: this.bytes + uri.length },
      this.options.limits(),
    );
    if (problem !== null) throw new ProtocolError(ErrorCode.refused, problem);
    this.uris.add(uri);
    this.bytes += uri.length;
    await this.save();
  }

  async remove(uri: string): Promise<void> {
    if (!this.uris.delete(uri)) return;
    this.bytes -= uri.length;
    await this.save();
  }

  /** Ends the subscriptions of other resources than those that are chosen. */
  keepOnly(isChosen: (uri: string) => boolean): void {
    for (const uri of [...this.uris].filter((watched) => !isChosen(watched))) {
      this.remove(uri).catch((error: unknown) => this.options.onStorageError(error));
    }
  }

  /** Resolves when what holds now is saved. One write runs at a time: those that are asked for meanwhile become one. */
  private save(): Promise<void> {
    if (this.nextSave) return this.nextSave;
    const save = this.lastSave.then(() => {
      this.nextSave = null;
      return this.options.storage.sessions.saveSubscriptions(this.session.id, [...this.uris]);
    });
    this.nextSave = save;
    this.lastSave = save.catch(() => undefined);
    return save;
  }
}
