import { SCOPE } from '../clients/oauth-addresses.service.js';

/** The supported parameters. Programs send others, which the server would refuse. */
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
 * Normalises the query of an authorization request for the authorization server. Real programs omit the scope or send unknown
 * ones, always send a prompt, or spell the endpoint differently.
 * @param resourceOf returns the endpoint that a program means; null = there is none
 */
export function normalRequest(query: URLSearchParams, resourceOf: (sent?: string) => string | null): URLSearchParams {
  const normal = new URLSearchParams();
  for (const name of KNOWN) for (const value of query.getAll(name)) normal.append(name, value);
  const resources = normal.getAll('resource');
  normal.delete('resource');
  // An unknown one stays, so that the server refuses it.
  for (const sent of resources.length > 0 ? resources : [undefined]) {
    const resource = resourceOf(sent) ?? sent;
    if (resource !== undefined && !normal.getAll('resource').includes(resource)) normal.append('resource', resource);
  }
  normal.set('scope', SCOPE);
  if (query.get('prompt') === 'none') normal.set('prompt', 'none');
  return normal;
}
