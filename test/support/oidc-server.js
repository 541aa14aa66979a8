// The OpenID Connect provider of a company, in a process of its own. POST /control says who logs in there, and what goes wrong.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';

const realNow = Date.now.bind(Date);
const port = Number(process.env.PORT);
const issuer = `http://127.0.0.1:${port}`;

const state = { person: { sub: 'ada-1' }, denies: false, isDown: false, skewSeconds: 0, hidesGroups: false };
Date.now = () => realNow() + state.skewSeconds * 1000;

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

/** Asks whether to log out, without the fonts of another site that the page of the library has. */
function logoutSource(context, form) {
  const button = '<button type="submit" form="op.logoutForm" name="logout" value="yes">Yes</button>';
  context.body = `<!doctype html><link rel="icon" href="data:,"><title>Log out</title>${form}${button}`;
}

function openProvider() {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'agent-service',
        client_secret: 'the secret of the service',
        redirect_uris: JSON.parse(process.env.REDIRECT_URIS),
        post_logout_redirect_uris: JSON.parse(process.env.LOGOUT_URIS),
      },
    ],
    jwks: { keys: [newKey()] },
    cookies: { keys: ['a key of the provider'] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name', 'groups', 'realm_access', '_claim_names'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: process.env.USERINFO === 'only',
    // So short that a clock that is a little behind makes it expire.
    ttl: { IdToken: 30, AccessToken: 600, Grant: 600, Interaction: 600, Session: 600 },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: !('END_SESSION' in process.env), logoutSource },
      ...(process.env.TOKENS && forPrograms()),
    },
    // What it announces instead of its own, if anything.
    discovery: process.env.END_SESSION ? { end_session_endpoint: process.env.END_SESSION } : {},
    ...(process.env.TOKENS && { scopes: ['openid', 'offline_access', 'mcp'], issueRefreshToken: () => true }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...state.person, sub }) }),
  });
  provider.on('server_error', (_context, error) => console.error(error));
  return { provider, handle: provider.callback() };
}

/** Gives access tokens for RESOURCE, in the form that TOKENS says, to programs that register. */
function forPrograms() {
  const server = { scope: 'mcp', accessTokenFormat: process.env.TOKENS, accessTokenTTL: 600 };
  const resourceIndicators = {
    enabled: true,
    defaultResource: () => process.env.RESOURCE,
    getResourceServerInfo: () => server,
    useGrantedResource: () => true,
  };
  return {
    registration: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    resourceIndicators,
  };
}

let current = openProvider();

async function interact(request, response) {
  const { provider } = current;
  const { prompt, params, grantId } = await provider.interactionDetails(request, response);
  if (state.denies) return provider.interactionFinished(request, response, { error: 'access_denied' });
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: state.person.sub } });
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId: state.person.sub, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  if (process.env.TOKENS) grant.addResourceScope(process.env.RESOURCE, 'mcp');
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

async function control(request, response) {
  const { rotates, ...change } = JSON.parse(await text(request));
  Object.assign(state, change);
  if (rotates) current = openProvider();
  response.end('{}');
}

createServer((request, response) => {
  const { url = '' } = request;
  const answer = async () => {
    if (url === '/control') return control(request, response);
    if (url === '/ready') return void response.end('{}');
    if (state.isDown) return void request.socket.destroy();
    if (url.startsWith('/interaction/')) return interact(request, response);
    return current.handle(request, response);
  };
  answer().catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
}).listen(port, '127.0.0.1');
