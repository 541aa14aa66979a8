import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { freePort } from './harness/free-port.js';
import { TestService } from './support/service.js';
import { ProgramMemory, SignInBrowser } from './support/sign-in-browser.js';

const CALLBACK = 'http://127.0.0.1:33418/callback';

async function connect(url: URL, memory: ProgramMemory): Promise<ClientV2> {
  const client = new ClientV2({ name: 'program', version: '1.0.0' });
  await client.connect(new TransportV2(url, { authProvider: memory }));
  return client;
}

/** Goes from nothing to a connected client: refused, registered, signed in, with a token. */
async function signIn(origin: string, memory: ProgramMemory, browser: SignInBrowser): Promise<ClientV2> {
  const url = new URL('/mcp/oauth', origin);
  const transport = new TransportV2(url, { authProvider: memory });
  await expect(new ClientV2({ name: 'program', version: '1.0.0' }).connect(transport)).rejects.toThrow(
    UnauthorizedError,
  );
  if (!memory.link) throw new Error('the program was not sent to sign in');
  const back = await browser.signIn(memory.link);
  expect(back.searchParams.get('iss')).toBe(`${origin}/oauth`);
  await transport.finishAuth(back.searchParams);
  return connect(url, memory);
}

describe('signing in with a program', () => {
  let service: TestService;
  let origin: string;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    service = await TestService.start({
      env: { PORT: String(port), PUBLIC_URL: origin, OAUTH_ENABLED: 'on' },
    });
    await service.admin('POST', 'administrators', { name: 'ada', role: 'member', password: 'a-long-password-of-ada' });
  });
  afterAll(() => service.stop());

  const asAda = () => new SignInBrowser(origin, 'ada', 'a-long-password-of-ada');

  it('leads from a refusal to a call, as the person', async () => {
    const memory = new ProgramMemory(CALLBACK);
    const client = await signIn(origin, memory, asAda());
    const { content } = await client.callTool({ name: 'system_info', arguments: {} });
    expect(content).toHaveLength(1);
    await client.close();
    const { body } = await service.admin('GET', 'grants');
    expect(body['items']).toMatchObject([{ person: 'ada', name: 'A program', host: '127.0.0.1', proven: '' }]);
  });
});
