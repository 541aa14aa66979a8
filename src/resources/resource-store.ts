import type { Client } from '#skill-kit';
import type { Page, PageRequest } from '../paging/page-cursor.js';

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

/** Told by a store what changed in it. */
export interface ResourceWatcher {
  updated(uri: string): void;
  listChanged(): void;
}

/** A value that somebody is entering for a variable of a template. */
export interface Completion {
  variable: string;
  /** What was entered so far. */
  prefix: string;
  /** Values of other variables of the same template, by name; an empty one is none. */
  chosen: Readonly<Record<string, string>>;
}

/**
 * Owns every URI of one scheme. Lists are in a stable order. A store neither authorises nor routes: the
 * `ResourceRouter` does both before it asks.
 */
export interface ResourceStore {
  /** The part of the URI before `:`, lower case. */
  readonly scheme: string;
  listPage(page: PageRequest, client: Client): Promise<Page<ResourceEntry>>;
  templates(): ResourceTemplateEntry[];
  /** Null when there is nothing at this URI. */
  read(uri: string, client: Client): Promise<ResourceContent[] | null>;
  /** Values that start with the prefix; at most 100. */
  complete(completion: Completion, client: Client): Promise<string[]>;
  /** Returns the function that ends the watch. */
  watch(watcher: ResourceWatcher): () => void;
}
