import { EDITOR_CLIENTS } from './editor-clients';
import type { Snippet } from './snippet';
import { TERMINAL_CLIENTS } from './terminal-clients';

const ANY_CLIENT: Snippet = {
  client: 'Any other client',
  where: 'Its settings for MCP servers',
  text: (url) => ['type: streamable-http', `url: ${url}`, 'headers:', '  Authorization: Bearer <API_KEY>'].join('\n'),
  notes: [
    'Choose "Streamable HTTP" as the transport. The endpoint speaks 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28.',
    'Clients made with an MCP SDK wait 60 s for each request unless configured otherwise.',
  ],
};

export const SNIPPETS: readonly Snippet[] = [...TERMINAL_CLIENTS, ...EDITOR_CLIENTS, ANY_CLIENT];
