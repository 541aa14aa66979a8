import { addressForUsers, describeVariables, InvalidEnvironment, parseEnvironment } from './environment.js';

describe('parseEnvironment', () => {
  it('has a default for everything', () => {
    expect(parseEnvironment({})).toMatchObject({
      PORT: 5001,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      WORKFLOWS_DIR: './workflows',
      SKILLS_DIR: './skills',
      DATABASE_URL: null,
      ADMIN_PASSWORD: null,
      PUBLIC_URL: null,
      LOG_LEVEL: 'info',
    });
  });

  it('reads what is given and ignores what it does not know', () => {
    const environment = parseEnvironment({ PORT: '8080', PUBLIC_URL: 'http://localhost:8080', HOME: '/root' });
    expect(environment).toMatchObject({ PORT: 8080, PUBLIC_URL: 'http://localhost:8080' });
    expect(environment).not.toHaveProperty('HOME');
  });

  it('takes an empty variable for an unset one', () => {
    const environment = parseEnvironment({ PORT: '', ADMIN_PASSWORD: '', MCP_API_KEY: '' });
    expect(environment).toMatchObject({ PORT: 5001, ADMIN_PASSWORD: null });
    expect(environment.settings.size).toBe(0);
  });

  it('reports all problems together, those of settings too, without repeating secrets', () => {
    const variables = {
      PORT: '70000',
      LOG_LEVEL: 'loud',
      ADMIN_PASSWORD: 'short',
      MCP_API_KEY: 'a b',
      PUBLIC_URL: 'x',
    };
    expect(() => parseEnvironment(variables)).toThrow(InvalidEnvironment);
    expect(() => parseEnvironment(variables)).toThrow(
      '5 problems: PORT must be 1-65535; ADMIN_PASSWORD must have at least 8 characters; ' +
        'PUBLIC_URL must be an http:// or https:// URL without credentials, path, query and fragment: the service needs ' +
        'a host name or a port of its own; ' +
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent; ' +
        'MCP_API_KEY must be 16 to 512 visible ASCII characters without spaces',
    );
  });

  it.each([
    'https://agents.example.com/?x=1',
    'https://agents.example.com/#start',
    'https://ada:hidden@agents.example.com',
    'https://ada@agents.example.com',
    'https://example.com/agents',
  ])('refuses %s as the address of the service', (PUBLIC_URL) => {
    expect(() => parseEnvironment({ PUBLIC_URL })).toThrow(
      '1 problem: PUBLIC_URL must be an http:// or https:// URL without credentials, path, query and fragment',
    );
  });

  it.each([
    [{}, 'http://127.0.0.1:5001'],
    [{ HOST: '0.0.0.0', PORT: '80' }, 'http://localhost:80'],
    [{ HOST: '::' }, 'http://localhost:5001'],
    [{ HOST: '::1' }, 'http://[::1]:5001'],
    [{ PUBLIC_URL: 'https://agents.example.com' }, 'https://agents.example.com'],
    [{ PUBLIC_URL: 'https://agents.example.com/', HOST: '::1' }, 'https://agents.example.com'],
    [{ PUBLIC_URL: 'http://[::1]:5001//' }, 'http://[::1]:5001'],
  ])('knows the address of the service with %j', (variables, url) => {
    expect(addressForUsers(parseEnvironment(variables))).toBe(url);
  });

  it('names the TLS mode that verifies a database, so that the driver does not warn', () => {
    const { DATABASE_URL } = parseEnvironment({ DATABASE_URL: 'postgres://agent@db/agents?sslmode=require' });
    expect(DATABASE_URL).toBe('postgres://agent@db/agents?sslmode=verify-full');
  });

  it('refuses a database of which nobody knows whether it is reached over TLS', () => {
    expect(() => parseEnvironment({ DATABASE_URL: 'postgres://agent:hidden@db/agents?sslMode=require' })).toThrow(
      /^1 problem: DATABASE_URL: the parameter sslMode is unknown: use sslmode \(such as sslmode=verify-full\), sslrootcert, sslcert or sslkey$/,
    );
  });

  it.each(['x', 'fifteen-letters'])('refuses the short key %s', (MCP_API_KEY) => {
    expect(() => parseEnvironment({ MCP_API_KEY })).toThrow(
      '1 problem: MCP_API_KEY must be 16 to 512 visible ASCII characters without spaces',
    );
    expect(parseEnvironment({ MCP_API_KEY: 'sixteen-letters-' }).settings.get('mcp.api_key')).toBe('sixteen-letters-');
  });

  it.each(['0', '-1', '1.5', '5e3', '0x1388', 'abc', '65536'])('refuses port %s', (PORT) => {
    expect(() => parseEnvironment({ PORT })).toThrow('1 problem: PORT must be 1-65535');
  });

  it.each([
    ['http://a, http://b', ['http://a', 'http://b']],
    ['["http://a"]', ['http://a']],
  ])('reads the list %s', (text, list) => {
    expect(parseEnvironment({ MCP_ALLOWED_ORIGINS: text }).settings.get('mcp.allowed_origins')).toEqual(list);
  });

  it('wants a key for another server together with the server', () => {
    const key = { KNOWLEDGE_EMBEDDINGS_KEY: 'sk' };
    expect(() => parseEnvironment(key)).toThrow('KNOWLEDGE_EMBEDDINGS_KEY needs KNOWLEDGE_EMBEDDINGS_URL to be set');
    const both = parseEnvironment({ ...key, KNOWLEDGE_EMBEDDINGS_URL: 'https://api.example' });
    expect(both.settings.size).toBe(2);
  });

  it('wants to know where Restate is when runs are executed there', () => {
    expect(() => parseEnvironment({ WORKFLOW_ENGINE: 'restate', RESTATE_ADMIN_URL: 'http://restate:9070' })).toThrow(
      '2 problems: WORKFLOW_ENGINE=restate needs RESTATE_INGRESS_URL to be set, too; ' +
        'WORKFLOW_ENGINE=restate needs RESTATE_ENDPOINT_URL to be set, too',
    );
    expect(parseEnvironment({}).WORKFLOW_ENGINE).toBe('embedded');
  });

  it.each(['short', 'fifteen letters'])('refuses %s as the key that credentials are sealed with', (SECRETS_KEY) => {
    expect(() => parseEnvironment({ SECRETS_KEY })).toThrow(
      'SECRETS_KEY must be base64 of 32 random bytes, or a passphrase',
    );
  });

  it('reads numbers', () => {
    expect(parseEnvironment({ MCP_TOOL_TIMEOUT_MS: '250' }).settings.get('mcp.tool_timeout_ms')).toBe(250);
    expect(() => parseEnvironment({ MCP_TOOL_TIMEOUT_MS: '2.5' })).toThrow('from 1 to 3600000 ms');
  });
});

it('describes every variable for the manual', () => {
  const described = describeVariables();
  const { settings: _, ...environment } = parseEnvironment({});
  expect(Object.fromEntries(described.map((variable) => [variable.name, variable.default]))).toEqual(environment);
  for (const { meaning } of described) expect(meaning).toMatch(/^[A-Z].+\.$/);
});
