import { normalRequest } from '../../access/oauth/authorization-request.rules.js';
import { ISSUER_PATH } from '../../access/clients/oauth-addresses.service.js';
import { ROUTES } from '../../access/oauth/provider-configuration.js';

/** The destination of a request: the metadata of an endpoint, or the authorization server. */
export type Destination = { isOpen: boolean; methods: readonly string[] } & (
  | { kind: 'resource'; /** Path of the endpoint. */ path: string }
  | {
      kind: 'server';
      /** Below the issuer. */ url: string;
      /** True when it stores something, so it is counted. */ isCounted: boolean;
      isRegistration: boolean;
    }
);

/** The query of a longer URL is ignored. */
const LONGEST_URL = 16_000;

const WELL_KNOWN = '/.well-known';
const RESOURCE = `${WELL_KNOWN}/oauth-protected-resource`;
const SERVER_METADATA = [`${WELL_KNOWN}/oauth-authorization-server`, `${WELL_KNOWN}/openid-configuration`];
const READ = ['GET', 'HEAD'];
const POSTED: ReadonlySet<string> = new Set([ROUTES.token, ROUTES.registration, ROUTES.revocation]);
/** After the pages, the browser returns to the pending request, by its id. */
const RESUMED = new RegExp(`^${ROUTES.authorization}/[\\w-]+$`);
const SERVER_PATHS: ReadonlySet<string> = new Set([...Object.values(ROUTES), ...SERVER_METADATA]);

/**
 * Returns the destination of a URL; null when it does not concern OAuth. The metadata of the server is at the paths of RFC 8414
 * (the issuer's path after the well-known one) and of OpenID Connect Discovery (before it).
 * @param endpoints paths of the endpoint that accept tokens @param resourceOf the endpoint that a program means
 */
export function destinationOf(
  url: string,
  endpoints: readonly string[],
  resourceOf: (sent?: string) => string | null,
): Destination | null {
  const [path = '', ...rest] = url.length > LONGEST_URL ? url.split('?', 1) : url.split('?');
  if (path.startsWith(RESOURCE)) {
    const endpoint = path.slice(RESOURCE.length);
    return endpoints.includes(endpoint) ? { kind: 'resource', path: endpoint, isOpen: true, methods: READ } : null;
  }
  const inserted = SERVER_METADATA.find((metadata) => path === metadata + ISSUER_PATH);
  if (inserted !== undefined)
    return { kind: 'server', url: inserted, isCounted: false, isRegistration: false, isOpen: true, methods: READ };
  if (!path.startsWith(`${ISSUER_PATH}/`)) return null;
  const below = path.slice(ISSUER_PATH.length);
  const isResumed = RESUMED.test(below);
  if (!SERVER_PATHS.has(below) && !isResumed) return null;
  const isAuthorization = below === ROUTES.authorization;
  // A query may have question marks of its own (RFC 3986, section 3.4).
  const query = rest.join('?');
  const search = isAuthorization ? normalRequest(new URLSearchParams(query), resourceOf).toString() : query;
  return {
    kind: 'server',
    url: search === '' ? below : `${below}?${search}`,
    isCounted: isAuthorization || below === ROUTES.registration,
    isRegistration: below === ROUTES.registration,
    isOpen: !isAuthorization && !isResumed,
    methods: POSTED.has(below) ? ['POST'] : READ,
  };
}
