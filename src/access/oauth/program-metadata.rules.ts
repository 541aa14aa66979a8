import { isNative, redirectUriProblem } from './redirect-uri.rules.js';

/** What a program says of itself (RFC 7591, section 2). */
export type ProgramMetadata = Readonly<Record<string, unknown>>;

const MOST_URIS = 20;
const LONGEST_NAME = 100;

/** What is kept of what a program says; anything else means nothing here. */
const TEXTS = ['client_name', 'client_uri', 'logo_uri', 'tos_uri', 'policy_uri', 'software_id', 'software_version'];
const LONGEST_TEXT = 1_000;
const METHODS: ReadonlySet<unknown> = new Set(['none', 'client_secret_basic', 'client_secret_post']);

/**
 * Returns metadata as the authorization server takes it, from what programs really send: without `application_type`, with
 * scopes that nobody knows, without the grant that refreshes their tokens.
 * @throws Error whose message says what is wrong, to follow "redirect_uris"
 */
export function normalMetadata(sent: ProgramMetadata): Record<string, unknown> {
  const uris = redirectUrisOf(sent);
  const method = sent['token_endpoint_auth_method'];
  return {
    ...Object.fromEntries(TEXTS.flatMap((name) => textOf(sent, name))),
    redirect_uris: uris,
    // A mixed list is that of a program on the person's machine, too: the web has no loopback addresses.
    application_type: isNative(uris) || uris.some((uri) => isNative([uri])) ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: METHODS.has(method) ? method : 'none',
  };
}

/** Thrown when nobody could be sent back to a program. */
export class RedirectUrisInvalid extends Error {}

function redirectUrisOf({ redirect_uris: uris }: ProgramMetadata): string[] {
  if (!Array.isArray(uris) || uris.length === 0)
    throw new RedirectUrisInvalid('redirect_uris must list at least one URI');
  if (uris.length > MOST_URIS) throw new RedirectUrisInvalid(`redirect_uris may list ${MOST_URIS} URIs at most`);
  return uris.map((uri: unknown) => {
    const problem = typeof uri === 'string' ? redirectUriProblem(uri) : 'is no text';
    if (problem !== null) throw new RedirectUrisInvalid(`a member of redirect_uris ${problem}`);
    return String(uri);
  });
}

function textOf(sent: ProgramMetadata, name: string): [string, string][] {
  const value = sent[name];
  if (typeof value !== 'string' || value === '') return [];
  if (name === 'client_name') return [[name, shownName(value)]];
  if (value.length > LONGEST_TEXT) return [];
  // The server refuses what is no address, and nobody needs it.
  return name.endsWith('_uri') && URL.parse(value)?.protocol !== 'https:' ? [] : [[name, value]];
}

/** Returns a name as it may be shown beside what is proven: on one line, and without characters that nobody sees. */
export const shownName = (name: string): string =>
  name
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed() || 'a program without a name';
