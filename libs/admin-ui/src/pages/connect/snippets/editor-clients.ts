import { bearer, type Snippet, toJson } from './snippet';

const PASTE_KEY = 'Replace KEY with your key.';
const ENVIRONMENT_KEY = 'The key is read from the environment variable AGENT_KEY.';

const KEY_INPUT = { type: 'promptString', id: 'agent-key', description: 'Agent key', password: true };

/** Clients inside an editor or on the desktop. */
export const EDITOR_CLIENTS: readonly Snippet[] = [
  {
    client: 'VS Code',
    where: '.vscode/mcp.json',
    text: (url) =>
      toJson({
        inputs: [KEY_INPUT],
        servers: { agent: { type: 'http', url, headers: bearer('${input:agent-key}') } },
      }),
    install: (url, key) =>
      `vscode:mcp/install?${encodeURIComponent(
        JSON.stringify({
          name: 'agent',
          type: 'http',
          url,
          headers: bearer(key ?? '${input:agent-key}'),
          ...(key === null && { inputs: [KEY_INPUT] }),
        }),
      )}`,
    notes: [
      'It asks for the key when it first connects.',
      'At most 128 tools per request, with names of at most 64 characters.',
    ],
  },
  {
    client: 'Cursor',
    where: '~/.cursor/mcp.json',
    text: (url) => toJson({ mcpServers: { agent: { url, headers: bearer('${env:AGENT_KEY}') } } }),
    install: (url, key) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=agent&config=${encodeURIComponent(
        btoa(JSON.stringify({ url, headers: bearer(key ?? '${env:AGENT_KEY}') })),
      )}`,
    notes: [ENVIRONMENT_KEY, 'A skill that declares an output schema must answer with structured content.'],
  },
  {
    client: 'Windsurf',
    where: '~/.codeium/windsurf/mcp_config.json',
    text: (url) => toJson({ mcpServers: { agent: { serverUrl: url, headers: bearer('${env:AGENT_KEY}') } } }),
    notes: [ENVIRONMENT_KEY, 'At most 100 tools of all servers together.'],
  },
  {
    client: 'Cline',
    where: 'cline_mcp_settings.json',
    text: (url) =>
      toJson({ mcpServers: { agent: { type: 'streamableHttp', url, headers: bearer('KEY'), timeout: 300 } } }),
    notes: [
      PASTE_KEY,
      'The timeout is in seconds; without it, a call may take 60 s. Keep the type: without it, Cline expects the old SSE transport.',
      'Tool names are cut off after 64 characters.',
    ],
  },
  {
    client: 'Roo Code',
    where: 'mcp_settings.json',
    text: (url) =>
      toJson({ mcpServers: { agent: { type: 'streamable-http', url, headers: bearer('KEY'), timeout: 300 } } }),
    notes: [
      PASTE_KEY,
      'The timeout is in seconds; without it, a call may take 60 s.',
      'Tool names are cut off after 64 characters.',
    ],
  },
  {
    client: 'Zed',
    where: 'settings.json',
    text: (url) => toJson({ context_servers: { agent: { url, headers: bearer('KEY') } } }),
    notes: [PASTE_KEY],
  },
  {
    client: 'JetBrains IDEs',
    where: 'Settings, Tools, AI Assistant, Model Context Protocol (MCP): Add, As JSON',
    text: (url) => toJson({ mcpServers: { agent: { url, headers: bearer('KEY') } } }),
    notes: [PASTE_KEY],
  },
  {
    client: 'Claude Desktop',
    where: 'claude_desktop_config.json',
    text: (url) => toJson({ mcpServers: { agent: bridge(url) } }),
    notes: [
      PASTE_KEY,
      'It starts mcp-remote, which needs Node.js. For an address that begins with http:// and is not localhost, add "--allow-http" to args.',
    ],
  },
];

/** For programs that can only start commands: mcp-remote passes on what they say. */
const bridge = (url: string) => ({
  command: 'npx',
  args: ['-y', 'mcp-remote', url, '--transport', 'http-only', '--header', 'Authorization:${AUTHORIZATION}'],
  env: { AUTHORIZATION: 'Bearer KEY' },
});
