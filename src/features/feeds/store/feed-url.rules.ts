import { FeedNotReadable } from './feeds.errors.js';

/** Databases index the URLs of feeds, and PostgreSQL cannot index long texts. */
export const MAX_URL_CHARACTERS = 2000;

/**
 * Returns the URL of a feed in the form in which it is compared and stored. Accepts `feed:` addresses and addresses
 * without a scheme.
 * @throws FeedNotReadable
 */
export function toFeedUrl(address: string): string {
  if (address.length > 2 * MAX_URL_CHARACTERS) throw tooLong(address);
  const text = address
    .trim()
    .replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
    .replace(/^feed:/i, 'http:');
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`);
  if (!url || text === '') throw new FeedNotReadable(JSON.stringify(address), 'it is not a URL');
  // Do not show or store the password: everyone who reads feeds would see it.
  if (url.username || url.password) throw new FeedNotReadable(url.host, 'leave out the user name and password');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FeedNotReadable(JSON.stringify(address), 'only http: and https: URLs are fetched');
  }
  url.hash = '';
  if (url.href.length > MAX_URL_CHARACTERS) throw tooLong(url.href);
  return url.href;
}

const tooLong = (url: string): FeedNotReadable =>
  new FeedNotReadable(`${url.slice(0, 100).toWellFormed()}...`, `it is longer than ${MAX_URL_CHARACTERS} characters`);
