import { SCOPE } from '../clients/oauth-addresses.service.js';

/** The parameters that mean something here; programs send others, which the server would refuse. */
const KNOWN = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'state',
  'resource',
] as const;

/**
 * Returns the query of an authorization request as the authorization server takes it, from what programs really send: no
 * scope or unknown ones, a prompt that is always given, an endpoint written in another way.
 * @param resourceOf returns the endpoint that a program means; null when there is no such endpoint
 */
export function normalRequest(query: URLSearchParams, resourceOf: (sent?: string) => string | null): URLSearchParams {
  const normal = new URLSearchParams();
  for (const name of KNOWN) for (const value of query.getAll(name)) normal.append(name, value);
  const resources = normal.getAll('resource');
  normal.delete('resource');
  // One that is not known stays, for the server to refuse.
  for (const sent of resources.length > 0 ? resources : [undefined]) {
    const resource = resourceOf(sent) ?? sent;
    if (resource !== undefined && !normal.getAll('resource').includes(resource)) normal.append('resource', resource);
  }
  normal.set('scope', SCOPE);
  if (query.get('prompt') === 'none') normal.set('prompt', 'none');
  return normal;
}
