import * as claims from '../../src/access/external-issuer/token-claims.rules.js';
import * as requests from '../../src/access/oauth/authorization-request.rules.js';
import * as secret from '../../src/access/oauth/client-secret.rules.js';
import * as metadata from '../../src/access/oauth/program-metadata.rules.js';
import * as redirectUri from '../../src/access/oauth/redirect-uri.rules.js';
import * as routes from '../../src/entrypoints/oauth/oauth-routes.rules.js';
import { type Entry, OURS } from './entry.js';

const toItself = (sent = '') => sent;

const EXPECTED = { issuer: 'https://a.example', audience: 'https://b.example/mcp', nowMs: 0 };

export const OAUTH_RULES: Record<string, Record<string, Entry>> = {
  'src/access/external-issuer/token-claims.rules.ts': {
    kindOf: [claims.kindOf, (text) => claims.kindOf(`eyJ${text}.${text}.${text}`)],
    typeProblem: (text) => claims.typeProblem(text, { nonce: text, scope: text }),
    introspectionProblem: (text) => claims.introspectionProblem({ active: true, aud: [text] }, EXPECTED),
    scopesOf: (text) => claims.scopesOf({ scope: text, scp: text.split(' ') }),
    missingScopes: (text) => claims.missingScopes([text], { scope: text }),
    programOf: (text) => claims.programOf({ azp: text }),
    isFromFuture: (text) => claims.isFromFuture({ iat: text }, 0),
    isOfProgram: (text) => claims.isOfProgram({ sub: text, client_id: text }),
  } satisfies Partial<Record<keyof typeof claims, Entry>>,
  'src/access/oauth/authorization-request.rules.ts': {
    normalRequest: (text) =>
      requests.normalRequest(
        new URLSearchParams({ client_id: text, scope: text, resource: text, state: text }),
        toItself,
      ),
  } satisfies Record<keyof typeof requests, Entry>,
  'src/access/oauth/client-secret.rules.ts': {
    hashOfSecret: secret.hashOfSecret,
    isSecret: (text) => secret.isSecret(text, secret.hashOfSecret('a')),
  } satisfies Record<keyof typeof secret, Entry>,
  'src/access/oauth/error-page.rules.ts': { errorPage: 'writes the short texts of the library' },
  'src/access/oauth/program-metadata.rules.ts': {
    normalMetadata: (text) => metadata.normalMetadata({ client_name: text, logo_uri: text, redirect_uris: ['a://b'] }),
    shownName: metadata.shownName,
    RedirectUrisInvalid: OURS,
  } satisfies Record<keyof typeof metadata, Entry>,
  'src/access/oauth/redirect-uri.rules.ts': {
    redirectUriProblem: [redirectUri.redirectUriProblem, (text) => redirectUri.redirectUriProblem(`https://a/${text}`)],
    isNative: (text) => redirectUri.isNative([text]),
    isRegistered: (text) => redirectUri.isRegistered(text, ['http://localhost/', text]),
    isDocumentUrl: redirectUri.isDocumentUrl,
    placeOf: [redirectUri.placeOf, (text) => redirectUri.placeOf(`a${text}:b`)],
  } satisfies Record<keyof typeof redirectUri, Entry>,
  'src/entrypoints/oauth/oauth-routes.rules.ts': {
    destinationOf: [
      (text) => routes.destinationOf(text, ['/mcp'], toItself),
      (text) => routes.destinationOf(`/oauth/authorize?${text}`, ['/mcp'], toItself),
    ],
  } satisfies Record<keyof typeof routes, Entry>,
};
