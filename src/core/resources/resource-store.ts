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

/** `_meta` tells clients with extensions how to display the content; for a document, it has its `version`. */
export type ResourceContent = { uri: string; mimeType?: string; _meta?: JsonObject } & (
  { text: string } | { blob: string }
);

export interface ReadOptions {
  /** True to return the whole of a text that is otherwise read in parts, because the caller extracts a part itself. */
  whole?: boolean;
}

export interface ResourceWatcher {
  /** Takes any URI of a resource that was changed, created or removed: watchers of its other forms or views are notified, too. */
  updated(uri: string): void;
  listChanged(): void;
}

/** A request to complete the value of a variable of a template. */
export interface Completion {
  variable: string;
  /** The text entered so far. */
  prefix: string;
  /** Values of the template's other variables, by name; an empty value counts as missing. */
  chosen: Readonly<Record<string, string>>;
  limit: number;
}

/** The values found for a variable. */
export interface Suggestions {
  values: string[];
  /** True when there are no others. */
  areAll: boolean;
}

/**
 * Owns every URI of one scheme. Lists resources in a stable order. It neither authorises nor routes: the `ResourceRouter` does
 * both before it calls a store.
 */
export interface ResourceStore {
  /** The part of the URI before `:`, lower case. */
  readonly scheme: string;
  /** Position of its resources in lists across stores: the lowest comes first. */
  readonly position: number;
  listPage(page: PageRequest, client: Client): Promise<Page<ResourceEntry>>;
  templates(): ResourceTemplateEntry[];
  /**
   * Returns the canonical URI, which policies and subscriptions use: the same for all spellings of a resource's URI and for all
   * its views. Null when this store cannot have such a resource.
   */
  canonical(uri: string): string | null;
  /** Returns the contents of a resource; null when there is nothing at the URI. */
  read(uri: string, client: Client, options?: ReadOptions): Promise<ResourceContent[] | null>;
  /** Returns at most `limit` distinct values of the variable that start with the prefix. */
  complete(completion: Completion, client: Client): Promise<string[]>;
  /** Reports changes to `watcher` from now on. Returns a function that stops this. */
  watch(watcher: ResourceWatcher): () => void;
}
