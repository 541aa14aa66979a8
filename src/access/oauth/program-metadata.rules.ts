import { isNative, redirectUriProblem } from './redirect-uri.rules.js';

/** The metadata that a program sends (RFC 7591, section 2). */
export type ProgramMetadata = Readonly<Record<string, unknown>>;

const MOST_URIS = 20;
const LONGEST_NAME = 100;

/** The stored metadata of a program; anything else has no effect here. */
const TEXTS = ['client_name', 'client_uri', 'logo_uri', 'tos_uri', 'policy_uri', 'software_id', 'software_version'];
const LONGEST_TEXT = 1_000;
const METHODS: ReadonlySet<unknown> = new Set(['none', 'client_secret_basic', 'client_secret_post']);

/**
 * Normalises metadata for the authorization server. Real programs omit `application_type` and the grant type for refreshing
 * tokens, or send unknown scopes.
 * @throws RedirectUrisInvalid whose message begins with "redirect_uris"
 */
export function normalMetadata(sent: ProgramMetadata): Record<string, unknown> {
  const uris = redirectUrisOf(sent);
  const method = sent['token_endpoint_auth_method'];
  return {
    ...Object.fromEntries(TEXTS.flatMap((name) => textOf(sent, name))),
    redirect_uris: uris,
    // A mixed list also means a program on the person's machine: web applications have no loopback addresses.
    application_type: isNative(uris) || uris.some((uri) => isNative([uri])) ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: METHODS.has(method) ? method : 'none',
  };
}

/** Thrown when none of the redirect URIs of a program can be used. */
export class RedirectUrisInvalid extends Error {}

function redirectUrisOf({ redirect_uris: uris }: ProgramMetadata): string[] {
  if (!Array.isArray(uris) || uris.length === 0)
    throw new RedirectUrisInvalid('redirect_uris must list at least one URI');
  if (uris.length > MOST_URIS) throw new RedirectUrisInvalid(`redirect_uris may list ${MOST_URIS} URIs at most`);
  return uris.map((uri: unknown) => {
    const problem = typeof uri === 'string' ? redirectUriProblem(uri) : 'is no text';
    if (problem !== null) throw new RedirectUrisInvalid(`redirect_uris: a member ${problem}`);
    return String(uri);
  });
}

function textOf(sent: ProgramMetadata, name: string): [string, string][] {
  const value = sent[name];
  if (typeof value !== 'string' || value === '') return [];
  if (name === 'client_name') return [[name, shownName(value)]];
  if (value.length > LONGEST_TEXT) return [];
  // The server would refuse an invalid address, and nobody needs these.
  return name.endsWith('_uri') && URL.parse(value)?.protocol !== 'https:' ? [] : [[name, value]];
}

/** Returns a name that is safe to show next to verified facts: on one line, and without invisible characters. */
export const shownName = (name: string): string =>
  name
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed() || 'a program without a name';
