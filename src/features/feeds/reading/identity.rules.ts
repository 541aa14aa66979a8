import { createHash } from 'node:crypto';
import { folded } from '../store/feed-search.rules.js';
import type { DocumentItem, FeedDocument } from './document.js';

const SLUG_CHARACTERS = 40;
/** Never used as ids: paths of the admin API have these words in place of an id. */
const RESERVED: readonly string[] = ['opml'];
const ITEM_ID_CHARACTERS = 12;

/** An item with its id and a revision, which changes when its content does. */
export interface IdentifiedItem extends DocumentItem {
  id: string;
  revision: string;
}

/** Gives the items of a document their ids; of items with the same id, only the latest is returned. */
export function identifyItems({ items }: FeedDocument): IdentifiedItem[] {
  const identities = identitiesOf(items);
  const known = new Map<string, IdentifiedItem>();
  for (const [index, item] of items.entries()) {
    const id = hashOf(identities[index] ?? '').slice(0, ITEM_ID_CHARACTERS);
    const before = known.get(id);
    if (!before || isNewer(item, before)) known.set(id, { ...item, id, revision: revisionOf(item) });
  }
  return [...known.values()];
}

/** Returns the identity of each item: its guid, or else its link; with the title where several share these. */
function identitiesOf(items: readonly DocumentItem[]): string[] {
  const shared = sharedGuids(items);
  const links = new Map<string, Set<string>>();
  const first = items.map((item) => {
    const identity = identityOf(item, shared);
    const named = links.get(identity) ?? new Set();
    links.set(identity, named.add(nameOf(item)));
    return identity;
  });
  return items.map((item, index) => {
    const identity = first[index] ?? '';
    const isAmbiguous = !identity.startsWith('guid ') && (links.get(identity)?.size ?? 0) > 1;
    return isAmbiguous ? `${identity} of ${nameOf(item)}` : identity;
  });
}

function identityOf(item: DocumentItem, shared: ReadonlySet<string>): string {
  const { guid, url, title, content } = item;
  // Without the scheme: when a site changes to https, its items keep their ids.
  if (guid && !shared.has(guid)) return `guid ${guid.replace(/^https?:/i, '')}`;
  if (url) return `link ${url.replace(/^https?:/i, '')}${guid ? '' : ` ${title ?? ''}`}`;
  return `text ${guid ?? ''} ${title ?? ''} ${content?.text ?? ''}`;
}

/** The name that distinguishes items with the same link: those with one title are versions of one item. */
const nameOf = ({ title, content }: DocumentItem): string => title ?? content?.text ?? '';

/**
 * Returns the guids that the publisher wrongly gave to different items: to items with different links, or to all items of the
 * document.
 */
function sharedGuids(items: readonly DocumentItem[]): ReadonlySet<string> {
  const links = new Map<string, string | null>();
  const shared = new Set<string>();
  for (const { guid, url } of items) {
    if (!guid) continue;
    if (links.has(guid) && links.get(guid) !== url) shared.add(guid);
    links.set(guid, url);
  }
  const [only] = items;
  if (only?.guid && items.length > 1 && items.every(({ guid }) => guid === only.guid)) shared.add(only.guid);
  return shared;
}

function isNewer(one: DocumentItem, other: DocumentItem): boolean {
  return (one.publishedAt?.getTime() ?? 0) > (other.publishedAt?.getTime() ?? 0);
}

function revisionOf({ url, title, author, publishedAt, content, categories, attachments }: DocumentItem): string {
  return hashOf(JSON.stringify([url, title, author, publishedAt, content, categories, attachments])).slice(0, 22);
}

/** Yields candidate ids for a new feed, best first; from its title, or else from its host. */
export function* feedIds(title: string | null, url: string): Generator<string> {
  const slug = slugOf(title ?? '') || slugOf(URL.parse(url)?.hostname.replace(/^www\./, '') ?? '') || 'feed';
  if (!RESERVED.includes(slug)) yield slug;
  for (let number = 2; number < 10; number += 1) yield `${slug}-${number}`;
  yield `${slug}-${createHash('sha256').update(url).digest('hex').slice(0, 12)}`;
}

function slugOf(text: string): string {
  const words = folded(text).replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, SLUG_CHARACTERS).replace(/^-+|-+$/g, '');
}

export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url');
