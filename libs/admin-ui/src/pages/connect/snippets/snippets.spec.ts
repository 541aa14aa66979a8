import { SNIPPETS } from './snippets';

const URL = 'https://agents.example.com/mcp';
const textOf = (client: string) => SNIPPETS.find((snippet) => snippet.client === client)?.text(URL) ?? '';

describe('the snippets', () => {
  it('are one for each client, none twice', () => {
    const clients = SNIPPETS.map(({ client }) => client);
    expect(new Set(clients).size).toBe(clients.length);
    expect(clients).toHaveLength(11);
  });

  it.each(SNIPPETS.map((snippet) => [snippet.client, snippet] as const))(
    '%s: names the address and a key',
    (_client, snippet) => {
      expect(snippet.text(URL)).toContain(URL);
      expect(snippet.text(URL)).toMatch(/Bearer|bearer/);
      expect(snippet.notes.length).toBeGreaterThan(0);
    },
  );

  it('are valid JSON where they are JSON', () => {
    for (const { text } of SNIPPETS) {
      if (text(URL).startsWith('{')) expect(() => JSON.parse(text(URL)) as unknown).not.toThrow();
    }
  });

  it('use the words that each client knows', () => {
    expect(textOf('Gemini CLI')).toContain('"httpUrl"');
    expect(textOf('Windsurf')).toContain('"serverUrl"');
    expect(textOf('Cline')).toContain('"streamableHttp"');
    expect(textOf('Roo Code')).toContain('"streamable-http"');
    expect(textOf('VS Code')).toContain('${input:agent-key}');
    expect(textOf('Codex')).toContain('bearer_token_env_var = "AGENT_KEY"');
    expect(textOf('Zed')).toContain('"context_servers"');
    expect(textOf('Claude Code')).toMatch(/^claude mcp add --transport http .*"Authorization: Bearer \$AGENT_KEY"$/);
  });
});
