import data from './clients.json' with { type: 'json' };
import { INSTALL_LINKS } from './install-links';
import type { KeyPlace, SignInSnippet, Snippet } from './snippet';

const textOf = (snippet: object): string =>
  Array.isArray(snippet) ? snippet.join('\n') : JSON.stringify(snippet, null, 2);

/** The snippets for each client, from clients.json, which is also the source of the manual. */
export const SNIPPETS: readonly Snippet[] = data.clients.map(({ client, where, key, snippet, notes }) => ({
  client,
  where,
  key: key as KeyPlace,
  text: (url) => textOf(snippet).replaceAll('URL', url),
  install: INSTALL_LINKS[client],
  notes,
}));

/** The instructions for signing in with each program, also in the manual. */
export const SIGN_IN_SNIPPETS: readonly SignInSnippet[] = data.signIn.map(({ client, where, snippet, steps }) => ({
  client,
  where,
  text: (url) => textOf(snippet).replaceAll('URL', url),
  steps,
}));

/** What to do with the key, by where a client gets it. */
export const KEY_NOTES: Readonly<Record<KeyPlace, string>> = data.keys;

/** The same for a key that is known and shown. */
export const NEW_KEY_NOTES: Readonly<Record<KeyPlace, string>> = {
  ...KEY_NOTES,
  file: 'Your new key is filled in.',
  prompt: 'It asks for the key when it first connects: copy your new key from above.',
};

/** The shell command that sets the environment variable. */
export const ENVIRONMENT_LINE = data.environmentLine;
