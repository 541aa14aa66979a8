import data from './clients.json' with { type: 'json' };
import { INSTALL_LINKS } from './install-links';
import type { KeyPlace, SignInSnippet, Snippet } from './snippet';

const textOf = (snippet: object): string =>
  Array.isArray(snippet) ? snippet.join('\n') : JSON.stringify(snippet, null, 2);

/** What to paste into each client: clients.json, from which the manual is made, too. */
export const SNIPPETS: readonly Snippet[] = data.clients.map(({ client, where, key, snippet, notes }) => ({
  client,
  where,
  key: key as KeyPlace,
  text: (url) => textOf(snippet).replaceAll('URL', url),
  install: INSTALL_LINKS[client],
  notes,
}));

/** How people sign in with each program; the manual has it, too. */
export const SIGN_IN_SNIPPETS: readonly SignInSnippet[] = data.signIn.map(({ client, where, snippet, steps }) => ({
  client,
  where,
  text: (url) => textOf(snippet).replaceAll('URL', url),
  steps,
}));

/** What to do with the key, by where a client has it from. */
export const KEY_NOTES: Readonly<Record<KeyPlace, string>> = data.keys;

/** The same once the key is known and shown. */
export const NEW_KEY_NOTES: Readonly<Record<KeyPlace, string>> = {
  ...KEY_NOTES,
  file: 'Your new key is filled in.',
  prompt: 'It asks for the key when it first connects: copy your new key from above.',
};

/** The line of a shell that sets the environment variable. */
export const ENVIRONMENT_LINE = data.environmentLine;
