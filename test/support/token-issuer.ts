import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { listenOnLoopback, stopServer } from './loopback.js';

interface Key {
  kid: string;
  privateKey: CryptoKey;
  published: JWK;
}

/** An authorization server that signs whatever a test asks for, valid or not. */
export class TokenIssuer {
  /** The keys that `/jwks` publishes. */
  published: JWK[] = [];
  /** The responses of the introspection endpoint, by token. */
  readonly opaque = new Map<string, object>();
  /** The tokens that were introspected, and the paths of all requests. */
  readonly askedAbout: string[] = [];
  readonly paths: string[] = [];
  /** How it responds. */
  mood: 'well' | 'cuts' | 'fails' | 'moves' | 'stalls' = 'well';
  private key: Key | null = null;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<TokenIssuer> {
    const server = createServer();
    const issuer = new TokenIssuer(server, await listenOnLoopback(server));
    server.on('request', (request, response) => {
      const path = request.url ?? '';
      issuer.paths.push(path);
      if (issuer.mood === 'stalls') return;
      if (issuer.mood === 'cuts') return void request.socket.destroy();
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (issuer.mood === 'fails') return answer(503, {});
      if (path === '/.well-known/openid-configuration') return answer(200, issuer.document());
      if (issuer.mood === 'moves' && path === '/jwks') {
        response.writeHead(302, { location: `${issuer.origin}/keys` }).end();
        return;
      }
      if (path === '/jwks' || path === '/keys') return answer(200, { keys: issuer.published });
      text(request)
        .then((body) => {
          const token = new URLSearchParams(body).get('token') ?? '';
          issuer.askedAbout.push(token);
          answer(200, issuer.opaque.get(token) ?? { active: false });
        })
        .catch(() => response.destroy());
    });
    await issuer.rotate();
    return issuer;
  }

  /** Signs with a new key from now on, and publishes only that one. */
  async rotate(kid = crypto.randomUUID()): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const published = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
    this.key = { kid, privateKey, published };
    this.published = [published];
  }

  /** Signs a token. Claims and header fields that are undefined are omitted. */
  async sign(claims: object, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    if (!this.key) throw new Error('the issuer has no key');
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: this.origin, iat: now, exp: now + 600, ...claims };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid: this.key.kid, typ: 'at+jwt', ...header })
      .sign(this.key.privateKey);
  }

  stop(): Promise<void> {
    return stopServer(this.server);
  }

  private document(): object {
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      jwks_uri: `${this.origin}/jwks`,
      introspection_endpoint: `${this.origin}/introspect`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }
}
