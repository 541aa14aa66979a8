import { parseBoundedJson } from '#bounded-json';
import type { ModuleRequest } from '#skill-host';
import type { JsonObject } from '#skill-kit';
import { isAmongHosts } from '../../workflows/secrets/secret-limits.rules.js';
import { type DeclaredUses, MOST_STATE } from '../declared/module.js';
import { RequestRefused } from './module-calls.errors.js';
import type { Query } from './read-only-query.js';

/** JSON characters of a request, without the body of a fetch: more would block the main thread. */
const MOST_REQUEST = 1_000_000;
/** Maximum depth of arguments, as for calls of clients. */
const MOST_LEVELS = 64;
/** Maximum characters of a statement, and number of its parameters. */
const MOST_SQL = 20_000;
const MOST_PARAMETERS = 100;

interface WantedSkill {
  name: string;
  input: JsonObject;
}

interface WantedQuery extends Query {
  database: string;
}

/** @throws RequestRefused when a request is too long */
export function assertRequestFits({ kind, value }: ModuleRequest): void {
  if (value.length > MOST_REQUEST)
    throw new RequestRefused(`what it sends (${kind}) has more than ${MOST_REQUEST} characters of JSON: send less`);
}

/** Reads the requested call of a skill. @throws RequestRefused */
export function wantedSkillIn(value: string): WantedSkill {
  const read = parseBoundedJson(Buffer.from(value), MOST_LEVELS);
  if ('value' in read) return Object(read.value) as WantedSkill;
  throw new RequestRefused(`the skill was not called: its arguments are nested deeper than ${MOST_LEVELS - 1} levels`);
}

/** Reads the requested query and its database. @throws RequestRefused */
export function wantedQueryIn(value: string): WantedQuery {
  const { database, sql, parameters } = Object(JSON.parse(value)) as Record<keyof WantedQuery, unknown>;
  if (typeof sql !== 'string' || sql.length > MOST_SQL || sql.includes('\0'))
    throw new RequestRefused(`a statement is a text of at most ${MOST_SQL} characters`);
  if (!Array.isArray(parameters) || parameters.length > MOST_PARAMETERS || !parameters.every(isParameter))
    throw new RequestRefused(
      `the parameters are a list of at most ${MOST_PARAMETERS} texts, numbers, booleans and nulls`,
    );
  return { database: String(database), sql, parameters };
}

const isParameter = (value: unknown): value is Query['parameters'][number] =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** @throws RequestRefused when the skill does not declare the host */
export function assertMayAsk(url: URL, { hosts }: DeclaredUses): void {
  if (!isAmongHosts(url, hosts))
    throw new RequestRefused(`the skill does not declare the host ${url.host}: add it to uses.hosts`);
}

/** Servers at a shared address are selected by the Host header. @throws RequestRefused when it is not the host of the URL */
export function assertHostIsOf(url: URL, headers: Readonly<Record<string, string>>): void {
  const [, host = url.host] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'host') ?? [];
  if (host.toLowerCase() !== url.host)
    throw new RequestRefused(`the header Host may only be ${url.host}, the host of the URL: leave it out`);
}

/** @throws RequestRefused when the skill does not declare calls of this other one */
export function assertMayCall(name: string, { skills }: DeclaredUses): void {
  if (!skills.includes(name))
    throw new RequestRefused(`the skill does not declare that it calls ${name.slice(0, 64)}: add it to uses.skills`);
}

/** @throws RequestRefused when the skill does not declare the database of this secret */
export function assertMayRead(database: string, { databases }: DeclaredUses): void {
  if (!databases.includes(database))
    throw new RequestRefused(
      `the skill does not declare the database ${database.slice(0, 64)}: add it to uses.databases`,
    );
}

/** @throws RequestRefused when the skill does not declare a state */
export function assertHasState({ state }: DeclaredUses): void {
  if (!state) throw new RequestRefused('the skill does not declare that it keeps a state: add uses.state');
}

/** @param value JSON @throws RequestRefused when it is too long */
export function assertStateFits(value: string): void {
  if (value.length > MOST_STATE) throw new RequestRefused(`a state may have ${MOST_STATE} characters of JSON`);
}
