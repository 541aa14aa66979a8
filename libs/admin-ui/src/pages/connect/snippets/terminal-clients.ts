import { bearer, type Snippet, toJson } from './snippet';

const ENVIRONMENT_KEY = 'The key is read from the environment variable AGENT_KEY.';

const CLAUDE_LIMITS =
  'The first byte of an answer must arrive within 60 s, and pauses may last 5 minutes; tool output is cut off after about 25,000 tokens.';

/** Command-line clients. */
export const TERMINAL_CLIENTS: readonly Snippet[] = [
  {
    client: 'Claude Code',
    where: 'In a terminal',
    text: (url) =>
      `claude mcp add --transport http --scope user agent ${url} --header "Authorization: Bearer $AGENT_KEY"`,
    notes: [
      ENVIRONMENT_KEY,
      CLAUDE_LIMITS,
      'Descriptions are cut off after 2 KB. If a result has structured content, only that is shown.',
    ],
  },
  {
    client: 'Claude Code, for a project',
    where: '.mcp.json',
    text: (url) =>
      toJson({ mcpServers: { agent: { type: 'http', url, headers: bearer('${AGENT_KEY}'), timeout: 600_000 } } }),
    notes: [ENVIRONMENT_KEY, 'The timeout is in milliseconds.', CLAUDE_LIMITS],
  },
  {
    client: 'Gemini CLI',
    where: '~/.gemini/settings.json',
    text: (url) => toJson({ mcpServers: { agent: { httpUrl: url, headers: bearer('KEY'), timeout: 600_000 } } }),
    notes: [
      'Replace KEY with your key. The timeout is in milliseconds.',
      'Write httpUrl, because url means the old SSE transport. The name of the server must not contain an underscore.',
      'The server and tool names together may have about 58 characters.',
    ],
  },
  {
    client: 'Codex',
    where: '~/.codex/config.toml',
    text: (url) =>
      ['[mcp_servers.agent]', `url = "${url}"`, 'bearer_token_env_var = "AGENT_KEY"', 'tool_timeout_sec = 300'].join(
        '\n',
      ),
    notes: [ENVIRONMENT_KEY],
  },
];
