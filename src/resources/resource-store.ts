import type { Client } from '#skill-kit';

/** One entry of `resources/list`. */
export interface ResourceEntry {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

/** One entry of `resources/templates/list` (RFC 6570 level 1). */
export interface ResourceTemplateEntry {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

export type ResourceContent = { uri: string; mimeType?: string } & ({ text: string } | { blob: string });

/** A variable of a template that somebody is filling in. */
export interface Completion {
  variable: string;
  /** What there is of its value. */
  prefix: string;
  /** The template's other variables, as far as they have values. */
  chosen: Readonly<Record<string, string>>;
}

/** Told by a store what changed in it. */
export interface ResourceWatcher {
  updated(uri: string): void;
  listChanged(): void;
}

/**
 * Owns every URI of one scheme. `list` is in a stable order. A store neither authorises nor routes: the
 * `ResourceRouter` does both before it asks.
 */
export interface ResourceStore {
  /** The part of the URI before `:`, lower case. */
  readonly scheme: string;
  list(client: Client): Promise<ResourceEntry[]>;
  templates(): ResourceTemplateEntry[];
  /** Null when there is nothing at this URI. */
  read(uri: string, client: Client): Promise<ResourceContent[] | null>;
  /** Values of the variable that start with the prefix and go with what was chosen; at most 100. */
  complete(completion: Completion, client: Client): Promise<string[]>;
  /** Returns the function that ends the watch. */
  watch(watcher: ResourceWatcher): () => void;
}
