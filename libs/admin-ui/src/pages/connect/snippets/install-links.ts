import type { Snippet } from './snippet';

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const KEY_INPUT = { type: 'promptString', id: 'agent-key', description: 'Agent key', password: true };

/** The URLs that make a program add the service. */
export const INSTALL_LINKS: Readonly<Record<string, Snippet['install']>> = {
  'VS Code': (url) =>
    `vscode:mcp/install?${encodeURIComponent(
      JSON.stringify({
        name: 'agent',
        type: 'http',
        url,
        headers: bearer('${input:agent-key}'),
        inputs: [KEY_INPUT],
      }),
    )}`,
  Cursor: (url) =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=agent&config=${encodeURIComponent(
      btoa(JSON.stringify({ url, headers: bearer('${env:AGENT_KEY}') })),
    )}`,
};
