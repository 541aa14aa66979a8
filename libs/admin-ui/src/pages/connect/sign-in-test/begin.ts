import { askJson, type Bench, StepFailed, takeStep, textOf } from './oauth-steps';

/** The data that is kept during the sign-in; it has no tokens. */
export interface Begun {
  clientId: string;
  redirectUri: string;
  verifier: string;
  state: string;
  issuer: string;
  /** URL of the endpoint. */
  resource: string;
  tokenEndpoint: string;
  revocationEndpoint: string;
}

/** Registers a program with a redirect URI. Returns its `client_id`. */
export type Register = (registrationEndpoint: string, redirectUri: string) => Promise<string>;

const PROXY = 'A proxy in front may not forward this path: let it forward /.well-known/ and /oauth to the service.';
const ADDRESS = 'Set PUBLIC_URL to the exact address that everybody uses, and restart the service.';

/**
 * Discovers where to sign in, as a program does, and registers a program.
 * @param resource URL of the endpoint
 * @returns the data for finishing the test, and the URL to open
 * @throws StepFailed
 */
export async function beginSignIn(
  bench: Bench,
  resource: string,
  register: Register,
): Promise<{ begun: Begun; link: string }> {
  const { origin, pathname } = new URL(resource);
  const issuer = await takeStep(bench, 'Find the authorization server', () =>
    findIssuer(bench, `${origin}/.well-known/oauth-protected-resource${pathname}`, resource),
  );
  const server = await takeStep(bench, 'Read what the authorization server can do', () => readServer(bench, issuer));
  const redirectUri = `${origin}/admin/connect/sign-in-test`;
  const clientId = await takeStep(bench, 'Register a program', async () => {
    const value = await register(server.registration, redirectUri);
    return { value, summary: value };
  });
  const [verifier, state] = [randomText(), randomText()];
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
  });
  const { token: tokenEndpoint, revocation: revocationEndpoint } = server;
  const begun = { clientId, redirectUri, verifier, state, issuer, resource, tokenEndpoint, revocationEndpoint };
  return { begun, link: `${server.authorization}?${asked}` };
}

async function findIssuer(bench: Bench, url: string, resource: string) {
  const metadata = await askJson(bench, url, PROXY);
  const named = textOf(metadata, 'resource', PROXY);
  if (named !== resource) throw new StepFailed(`it is about ${named}, and not about ${resource}`, ADDRESS);
  const servers: unknown = metadata['authorization_servers'];
  const issuer = Array.isArray(servers) ? (servers as unknown[])[0] : undefined;
  if (typeof issuer !== 'string') throw new StepFailed('it names no authorization server', PROXY);
  return { value: issuer, summary: issuer };
}

/** Reads the metadata at the place where programs look first (RFC 8414, section 3.1). */
async function readServer(bench: Bench, issuer: string) {
  const { origin, pathname } = new URL(issuer);
  const metadata = await askJson(bench, `${origin}/.well-known/oauth-authorization-server${pathname}`, PROXY);
  const named = textOf(metadata, 'issuer', PROXY);
  if (named !== issuer) throw new StepFailed(`it is that of ${named}, and not of ${issuer}`, ADDRESS);
  const methods = metadata['code_challenge_methods_supported'];
  if (!Array.isArray(methods) || !methods.includes('S256')) {
    throw new StepFailed('it does not offer PKCE with S256, which programs insist on', PROXY);
  }
  const endpoint = (name: string) => textOf(metadata, `${name}_endpoint`, PROXY);
  const value = {
    authorization: endpoint('authorization'),
    token: endpoint('token'),
    registration: endpoint('registration'),
    revocation: endpoint('revocation'),
  };
  return { value, summary: value.authorization };
}

/** Registers as programs do (RFC 7591). */
export const registerItself =
  (bench: Bench): Register =>
  async (registrationEndpoint, redirectUri) => {
    const answer = await askJson(bench, registrationEndpoint, REGISTERING, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: TEST_PROGRAM, redirect_uris: [redirectUri] }),
    });
    return textOf(answer, 'client_id', REGISTERING);
  };

export const TEST_PROGRAM = 'Test of the sign-in';
const REGISTERING = 'If too many programs are registering, wait a minute. Otherwise, see the log of the service.';

/** Returns 256 random bits as a URL-safe string. */
const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Returns the challenge of a verifier (RFC 7636, section 4.2, S256). */
async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
