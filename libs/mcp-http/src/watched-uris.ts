/**
 * The URIs that one client watches, as it wrote them. Several can refer to the same resource: they are spelled differently, or
 * name views of it.
 */
export class WatchedUris implements Iterable<string> {
  private readonly uris = new Set<string>();
  private readonly byResource = new Map<string, readonly string[]>();

  /** @param canonicalUri returns the canonical URI of a resource */
  constructor(
    private readonly canonicalUri: (uri: string) => string,
    uris: Iterable<string> = [],
  ) {
    for (const uri of uris) this.add(uri);
  }

  get size(): number {
    return this.uris.size;
  }

  has(uri: string): boolean {
    return this.uris.has(uri);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.uris[Symbol.iterator]();
  }

  add(uri: string): void {
    if (this.uris.has(uri)) return;
    this.uris.add(uri);
    const resource = this.canonicalUri(uri);
    this.byResource.set(resource, [...(this.byResource.get(resource) ?? NONE), uri]);
  }

  /** Returns whether the URI was watched. */
  delete(uri: string): boolean {
    if (!this.uris.delete(uri)) return false;
    const resource = this.canonicalUri(uri);
    const others = (this.byResource.get(resource) ?? NONE).filter((other) => other !== uri);
    if (others.length > 0) this.byResource.set(resource, others);
    else this.byResource.delete(resource);
    return true;
  }

  /** Returns the client's own spellings of a resource's URI; empty when it does not watch the resource. */
  writtenFor(uri: string): readonly string[] {
    return (this.uris.size > 0 && this.byResource.get(this.canonicalUri(uri))) || NONE;
  }
}

const NONE: readonly string[] = Object.freeze([]);
