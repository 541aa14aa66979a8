import { type Feed, type FeedItem, itemUri, stateOf, titleOf } from './store/feed.js';

/** Renders a feed and its latest items as Markdown, for people and language models. */
export function feedMarkdown(feed: Feed, items: readonly FeedItem[]): string {
  const facts = [
    `- Feed: <${feed.url}>`,
    ...(feed.siteUrl ? [`- Site: <${feed.siteUrl}>`] : []),
    ...(feed.folders.length > 0 ? [`- Folder: ${feed.folders.join(' / ')}`] : []),
    `- State: ${stateOf(feed)}${feed.lastError ? ` (${feed.lastError})` : ''}`,
  ];
  const latest = items.length > 0 ? items.map(itemSection) : ['No items yet.'];
  return joined([`# ${titleOf(feed)}`, feed.description, facts.join('\n'), ...latest]);
}

function itemSection(item: FeedItem): string {
  return joined([
    `## ${item.title}`,
    itemFacts(item, [`- Resource: <${itemUri(item.feedId, item.id)}>`]),
    item.summary,
  ]);
}

/** Renders one item with its whole content as Markdown. */
export function itemMarkdown(item: FeedItem): string {
  return joined([`# ${item.title}`, itemFacts(item, []), item.content]);
}

function itemFacts({ url, author, publishedAt, categories }: FeedItem, first: string[]): string {
  return [
    ...first,
    ...(url ? [`- Link: <${url}>`] : []),
    ...(publishedAt ? [`- Published: ${publishedAt.toISOString()}`] : []),
    ...(author ? [`- Author: ${author}`] : []),
    ...(categories.length > 0 ? [`- Categories: ${categories.join(', ')}`] : []),
  ].join('\n');
}

const joined = (parts: (string | null)[]): string => `${parts.filter((part) => part).join('\n\n')}\n`;
