import type { Client, JsonObject } from '#skill-kit';
import type { Page, PageRequest } from '../../platform/paging/page-cursor.js';

/** One entry of `resources/list`. */
export interface ResourceEntry {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** In bytes. */
  size?: number;
}

/** One entry of `resources/templates/list` (RFC 6570 level 1). */
export interface ResourceTemplateEntry {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

/** `_meta` tells clients of extensions how to show the content, and of a document, its `version`. */
export type ResourceContent = { uri: string; mimeType?: string; _meta?: JsonObject } & (
  { text: string } | { blob: string }
);

export interface ReadOptions {
  /** Whether to return a text as a whole that is otherwise read in parts, because the caller takes a part of it. */
  whole?: boolean;
}

/** Receives from a store what changed in it. */
export interface ResourceWatcher {
  /** Takes any URI of a resource that changed, came or went: who watches another form or view of it is told, too. */
  updated(uri: string): void;
  listChanged(): void;
}

/** A request to complete the value of a variable of a template. */
export interface Completion {
  variable: string;
  /** The text entered so far. */
  prefix: string;
  /** Values of the other variables of the template, by name; an empty value counts as missing. */
  chosen: Readonly<Record<string, string>>;
  /** How many values are wanted at most. */
  limit: number;
}

/** The values that were found for a variable. */
export interface Suggestions {
  values: string[];
  /** Whether there are no others. */
  areAll: boolean;
}

/**
 * Owns every URI of one scheme. Lists resources in a stable order. Neither authorises nor routes: the `ResourceRouter`
 * does both before it calls a store.
 */
export interface ResourceStore {
  /** The part of the URI before `:`, lower case. */
  readonly scheme: string;
  /** Where its resources stand in lists that have those of all stores: the lowest first. */
  readonly position: number;
  listPage(page: PageRequest, client: Client): Promise<Page<ResourceEntry>>;
  templates(): ResourceTemplateEntry[];
  /**
   * Returns the URI by which policies and subscriptions know what is at a URI: the same for all ways to write it and for all
   * views of it. Null when no resource of this store can be there.
   */
  canonical(uri: string): string | null;
  /** Returns the contents of a resource; null when there is nothing at the URI. */
  read(uri: string, client: Client, options?: ReadOptions): Promise<ResourceContent[] | null>;
  /** Returns the values of the variable that start with the prefix, each once, and no more than `limit` of them. */
  complete(completion: Completion, client: Client): Promise<string[]>;
  /** Reports changes to `watcher` from now on. Returns the function that ends this. */
  watch(watcher: ResourceWatcher): () => void;
}
