import { withKey } from './snippet';
import { SIGN_IN_SNIPPETS, SNIPPETS } from './snippets';

const URL = 'https://agents.example.com/mcp';
const textOf = (client: string) => SNIPPETS.find((snippet) => snippet.client === client)?.text(URL) ?? '';

describe('the snippets', () => {
  it('are one for each client, none twice', () => {
    const clients = SNIPPETS.map(({ client }) => client);
    expect(new Set(clients).size).toBe(clients.length);
    expect(clients).toHaveLength(17);
  });

  it.each(SNIPPETS.map((snippet) => [snippet.client, snippet] as const))(
    '%s: names the address and a key',
    (_client, snippet) => {
      expect(snippet.text(URL)).toContain(URL);
      expect(snippet.text(URL)).toMatch(/Bearer|bearer/);
    },
  );

  it('are valid JSON where they are JSON', () => {
    for (const { text } of SNIPPETS) {
      if (text(URL).startsWith('{')) expect(() => JSON.parse(text(URL)) as unknown).not.toThrow();
    }
  });

  it.each(SNIPPETS.map((snippet) => [snippet.client, snippet] as const))(
    '%s: takes the key from where it is said to',
    (_client, { key, text }) => {
      const filled = withKey(text(URL), 'ask_1');
      const reference = { file: /Bearer KEY\b/, environment: /\bAGENT_KEY\b/, prompt: /\$\{input:agent-key\}/ }[key];
      expect(text(URL)).toMatch(reference);
      expect(withKey(text(URL), null)).toBe(text(URL));
      if (key === 'file') expect(filled).toContain('Bearer ask_1');
      else expect(filled).toBe(text(URL));
    },
  );

  it('hold no key in files that a team shares', () => {
    const ofProjects = SNIPPETS.filter(({ where }) => where === '.mcp.json' || where === '.vscode/mcp.json');
    expect(ofProjects.map(({ key }) => key)).toEqual(['environment', 'prompt']);
  });

  it('install by an address where the program has one', () => {
    const installOf = (client: string) => SNIPPETS.find((snippet) => snippet.client === client)?.install?.(URL) ?? '';
    const [, config = ''] = installOf('Cursor').split('config=');
    expect(JSON.parse(atob(decodeURIComponent(config)))).toEqual({
      url: URL,
      headers: { Authorization: 'Bearer ${env:AGENT_KEY}' },
    });
    const [scheme, asked = ''] = installOf('VS Code').split('?');
    expect(scheme).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(asked))).toMatchObject({
      name: 'agent',
      type: 'http',
      url: URL,
      headers: { Authorization: 'Bearer ${input:agent-key}' },
      inputs: [{ id: 'agent-key', password: true }],
    });
  });

  it('use the words that each client knows', () => {
    expect(textOf('Gemini CLI')).toContain('"httpUrl"');
    expect(textOf('opencode')).toMatch(/"type": "remote"[^]*\{env:AGENT_KEY\}[^]*"timeout": 300000/);
    expect(textOf('Copilot CLI')).toContain('"tools"');
    expect(textOf('Windsurf')).toContain('"serverUrl"');
    expect(textOf('Cline')).toContain('"streamableHttp"');
    expect(textOf('Roo Code')).toContain('"streamable-http"');
    expect(textOf('VS Code')).toContain('${input:agent-key}');
    expect(textOf('Codex')).toContain('bearer_token_env_var = "AGENT_KEY"');
    expect(textOf('Zed')).toContain('"context_servers"');
    expect(textOf('Claude Code')).toMatch(/^claude mcp add --transport http .*"Authorization: Bearer KEY"$/);
  });
});

describe('the ways to sign in', () => {
  const signInUrl = `${URL}/oauth`;

  it('are one for each client, none twice', () => {
    const clients = SIGN_IN_SNIPPETS.map(({ client }) => client);
    expect(new Set(clients).size).toBe(clients.length);
    expect(clients).toEqual(expect.arrayContaining(['Claude Code', 'ChatGPT', 'VS Code', 'Cursor', 'Codex']));
  });

  it.each(SIGN_IN_SNIPPETS.map((snippet) => [snippet.client, snippet] as const))(
    '%s: names the address, no key, and what to do next',
    (_client, { text, steps }) => {
      const shown = text(signInUrl);
      expect(shown).toContain(signInUrl);
      expect(shown).not.toMatch(/KEY|bearer|Authorization/i);
      if (shown.startsWith('{')) expect(() => JSON.parse(shown) as unknown).not.toThrow();
      expect(steps.length).toBeGreaterThan(1);
    },
  );
});
