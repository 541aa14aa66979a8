import { ProtocolError } from '@modelcontextprotocol/server';
import type { EndpointOptions, ResourceSubscriptions } from './endpoint-options.js';
import { ErrorCode } from './json-rpc.js';
import { subscriptionsProblem } from './refusals.js';
import type { SessionRecord } from './storage.js';
import { WatchedUris } from './watched-uris.js';

/** The resources that a session watches, in memory and in its record. Other processes may change the record, too. */
export class SessionSubscriptions implements ResourceSubscriptions {
  private uris: WatchedUris;
  private bytes: number;
  /** Unsaved changes: true = added, false = removed. */
  private readonly unsaved = new Map<string, boolean>();
  private lastSave: Promise<void> = Promise.resolve();
  private nextSave: Promise<void> | null = null; // null = no save is queued
  /** Number of finished writes: data read before the latest of them may be outdated. */
  saves = 0;

  constructor(
    private readonly session: SessionRecord,
    private readonly options: Pick<EndpointOptions<never>, 'protocol' | 'storage' | 'limits' | 'onStorageError'>,
    /** Called after each change is saved. Resolves when the other processes of the session will learn of it. */
    private readonly onSaved: () => Promise<void>,
  ) {
    this.uris = this.watched(session.subscriptions);
    this.bytes = bytesOf(this.uris);
  }

  /** Returns the client's own spellings of a resource's URI; empty when it does not watch the resource. */
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
    await this.save(uri, true);
  }

  async remove(uri: string): Promise<void> {
    if (this.uris.delete(uri)) this.bytes -= uri.length;
    // Another process may have added it a moment ago.
    await this.save(uri, false);
  }

  /** Ends all subscriptions but the chosen ones. */
  keepOnly(isChosen: (uri: string) => boolean): void {
    for (const uri of [...this.uris].filter((watched) => !isChosen(watched))) {
      this.remove(uri).catch((error: unknown) => this.options.onStorageError(error));
    }
  }

  /** Applies what was read from the storage; unsaved changes still take precedence. */
  takeOver(stored: readonly string[]): void {
    this.uris = this.watched(stored);
    for (const [uri, isAdded] of this.unsaved) {
      if (isAdded) this.uris.add(uri);
      else this.uris.delete(uri);
    }
    this.bytes = bytesOf(this.uris);
  }

  private watched(uris: readonly string[]): WatchedUris {
    return new WatchedUris((uri) => this.options.protocol.canonicalUri(uri), uris);
  }

  /** Resolves when the change is saved. Writes run one at a time: changes requested meanwhile are saved together. */
  private save(uri: string, isAdded: boolean): Promise<void> {
    this.unsaved.set(uri, isAdded);
    if (this.nextSave) return this.nextSave;
    const save = this.lastSave.then(() => this.write());
    this.nextSave = save;
    this.lastSave = save.catch(() => undefined);
    return save;
  }

  private async write(): Promise<void> {
    this.nextSave = null;
    const changes = new Map(this.unsaved);
    const chosen = (wanted: boolean) => [...changes].flatMap(([uri, isAdded]) => (isAdded === wanted ? [uri] : []));
    const { sessions } = this.options.storage;
    try {
      await sessions.saveSubscriptions(this.session.id, { added: chosen(true), removed: chosen(false) });
    } catch (error) {
      // The clients get an error, so the change must not take effect.
      for (const uri of chosen(true)) if (this.uris.delete(uri)) this.bytes -= uri.length;
      throw error;
    } finally {
      this.saves += 1;
      for (const [uri, isAdded] of changes) if (this.unsaved.get(uri) === isAdded) this.unsaved.delete(uri);
    }
    await this.onSaved();
  }
}

function bytesOf(uris: Iterable<string>): number {
  let bytes = 0;
  for (const uri of uris) bytes += uri.length;
  return bytes;
}
