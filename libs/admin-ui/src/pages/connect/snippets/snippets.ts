import clients from './clients.json' with { type: 'json' };
import { INSTALL_LINKS } from './install-links';
import type { Snippet } from './snippet';

const textOf = (snippet: object): string =>
  Array.isArray(snippet) ? snippet.join('\n') : JSON.stringify(snippet, null, 2);

/** What to paste into each client: clients.json, from which the manual is made, too. */
export const SNIPPETS: readonly Snippet[] = clients.map(({ client, where, snippet, notes }) => ({
  client,
  where,
  text: (url) => textOf(snippet).replaceAll('URL', url),
  install: INSTALL_LINKS[client],
  notes,
}));
