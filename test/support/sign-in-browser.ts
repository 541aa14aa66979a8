import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';

interface Cookie {
  name: string;
  value: string;
  path: string;
}

let opened = 0;

/** A browser without pages: follows redirects, keeps cookies, and sends the requests of the sign-in page. */
export class SignInBrowser {
  private cookies: Cookie[] = [];
  /** A new address for each browser: sign-ins are rate-limited by address. */
  private readonly address = `10.1.${(opened += 1) >> 8}.${opened & 255}`;

  constructor(
    private readonly origin: string,
    private readonly user: string,
    private readonly password: string,
  ) {}

  /** Follows the link of a program, signs in and decides. Returns the redirect URL of the program, with its parameters. */
  async signIn(link: string | URL, decision: 'allow' | 'deny' = 'allow'): Promise<URL> {
    const id = await this.open(link);
    await this.logIn();
    return this.decide(id, decision);
  }

  /** Follows the link of a program to the sign-in page. Returns the id of the sign-in. */
  async open(link: string | URL): Promise<string> {
    const page = await this.redirectOf(new URL(link));
    return page.pathname.split('/').at(-1) ?? '';
  }

  async logIn(): Promise<void> {
    const answer = await this.send('POST', '/admin/api/session', { user: this.user, password: this.password });
    if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`);
  }

  async decide(id: string, decision: 'allow' | 'deny'): Promise<URL> {
    const answer = await this.send('POST', `/admin/api/sign-ins/${id}/${decision}`);
    if (!answer.ok) throw new Error(`${decision}: ${answer.status} ${await answer.text()}`);
    const { to } = (await answer.json()) as { to: string };
    return this.redirectOf(new URL(to));
  }

  /** Sends a request as a page of the service would, with its cookies. */
  async send(method: string, path: string | URL, body?: object, headers: object = {}): Promise<Response> {
    const url = new URL(path, this.origin);
    const cookie = this.cookies
      .filter((one) => url.pathname === one.path || url.pathname.startsWith(`${one.path.replace(/\/$/, '')}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        cookie,
        origin: this.origin,
        'x-forwarded-for': this.address,
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    return answer;
  }

  private async redirectOf(url: URL): Promise<URL> {
    const answer = await this.send('GET', url);
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
    return new URL(location, url);
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
    const isGone = attributes.some((one) => /^expires=Thu, 01 Jan 1970/i.test(one)) || value === '';
    this.cookies = this.cookies.filter((one) => one.name !== name || one.path !== path);
    if (!isGone) this.cookies.push({ name, value, path });
  }
}

/** The OAuth state of a program in memory, for the SDK client. */
export class ProgramMemory implements OAuthClientProvider {
  link: URL | null = null;
  saved: OAuthTokens | undefined;
  registration: OAuthClientInformationMixed | undefined;
  private verifier = '';
  private discovery: OAuthDiscoveryState | undefined;

  constructor(
    readonly redirectUrl: string,
    private readonly extra: Partial<OAuthClientMetadata> = {},
  ) {}

  get clientMetadata(): OAuthClientMetadata {
    return { client_name: 'A program', redirect_uris: [this.redirectUrl], ...this.extra };
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.registration;
  }

  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.registration = information;
  }

  tokens(): OAuthTokens | undefined {
    return this.saved;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.saved = tokens;
  }

  redirectToAuthorization(link: URL): void {
    this.link = link;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'discovery') this.discovery = undefined;
    if (scope === 'all' || scope === 'client') this.registration = undefined;
    if (scope === 'all' || scope === 'tokens' || scope === 'client') this.saved = undefined;
  }
}
