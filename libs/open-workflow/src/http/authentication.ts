import { asJson, type Json, objectOf } from '../json.js';
import type { SecretEffect } from '../secret-effect.js';
import type { TaskRun } from '../task-run.js';
import { standardError } from '../workflow-error.js';

/**
 * Returns the Authorization header for an endpoint.
 * @param authentication as written in the definition
 */
export async function authorizationOf(authentication: Json, run: TaskRun, effect: SecretEffect): Promise<string> {
  const { basic, bearer, use } = objectOf(authentication);
  if (typeof use === 'string') {
    const named = run.execution.definition.use?.authentications?.[use];
    if (named) return authorizationOf(asJson(named), run, effect);
    throw standardError('configuration', `There is no authentication ${use} in use.authentications.`);
  }
  if (basic !== undefined) return basicOf(await detailsOf(basic, run, effect), effect);
  if (bearer !== undefined) return bearerOf(await detailsOf(bearer, run, effect));
  throw standardError('configuration', 'Only basic and bearer authentication are supported.');
}

function basicOf(details: Json, { conceal }: SecretEffect): string {
  const { username, password } = objectOf(details);
  if (!isScalar(username) || !isScalar(password)) throw incomplete('basic', '`username` and `password`');
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  conceal(credentials);
  return `Basic ${credentials}`;
}

function bearerOf(details: Json): string {
  const token = typeof details === 'string' ? details : objectOf(details).token;
  if (typeof token !== 'string' || token === '') throw incomplete('bearer', 'a `token`');
  return `Bearer ${token}`;
}

/** Returns the evaluated members of a scheme, which may come from a secret. */
async function detailsOf(scheme: Json, run: TaskRun, { authorization }: SecretEffect): Promise<Json> {
  const { use } = objectOf(scheme);
  return typeof use === 'string' ? authorization.secret(use) : authorization.evaluation.template(scheme, run.input);
}

const isScalar = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const incomplete = (scheme: string, missing: string) =>
  standardError('authentication', `The ${scheme} authentication lacks ${missing}.`);
