import type { Random } from '../fuzz/random.js';
import { sample, type Schema } from './samples.js';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

interface OperationObject {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema } | undefined> };
  responses: Record<string, { content?: Record<string, unknown> } | undefined>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
}

/** One operation of the admin API, as its OpenAPI document describes it. */
export interface Operation {
  method: string;
  /** With parameter names in braces. */
  path: string;
  parameters: readonly Parameter[];
  body: Schema | null;
  /** Content types by status. */
  answers: ReadonlyMap<number, readonly string[]>;
}

interface DescribedSetting {
  key: string;
  type: string;
  minimum?: number;
  maximum?: number;
  default: unknown;
}

/** What exists on the service, so that requests find something. */
export interface Inventory {
  schemas: Record<string, Schema>;
  settings: readonly DescribedSetting[];
  skills: readonly { name: string; inputSchema: Schema }[];
  /** Ids of current documents and feeds. */
  ids: string[];
}

/** The parts of a request before it is serialized. */
export interface RequestParts {
  operation: Operation;
  method: string;
  path: Record<string, string>;
  query: [string, string][];
  body: unknown;
}

/** They would sign out the account that sends the requests, so that all later requests would be rejected. */
const ENDS_OWN_ACCESS = ['delete /admin/api/account/sessions', 'delete /admin/api/administrators/{name}/sessions'];

export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => !ENDS_OWN_ACCESS.includes(`${method} ${path}`))
      .map(([method, { parameters = [], requestBody, responses }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema ?? null,
        answers: new Map(
          Object.entries(responses).map(([status, answer]) => [Number(status), Object.keys(answer?.content ?? {})]),
        ),
      })),
  );
}

/** Returns a request that the service should accept. */
export function validRequest(random: Random, operation: Operation, inventory: Inventory): RequestParts {
  const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const path = Object.fromEntries(names.map((name) => [name, partOfPath(random, operation, name, inventory)]));
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || random.chance(0.4)))
    .map(({ name, schema = {} }): [string, string] => [name, String(sample(random, schema, inventory.schemas, name))])
    .filter(([name]) => name !== 'cursor');
  const body = bodyFor(random, operation, path, inventory);
  return { operation, method: operation.method, path, query, body };
}

function partOfPath(random: Random, { path }: Operation, name: string, inventory: Inventory): string {
  const known: Record<string, string[]> = {
    '/admin/api/config': inventory.settings.map(({ key }) => key),
    '/admin/api/skills': inventory.skills.map((skill) => skill.name),
  };
  const collection = /^\/admin\/api\/[a-z]+/.exec(path)?.[0] ?? '';
  const choices = known[collection] ?? (name === 'id' ? inventory.ids : []);
  const [first, ...others] = choices;
  return first === undefined ? String(sample(random, { type: 'string' }, {}, name)) : random.pick([first, ...others]);
}

function bodyFor(random: Random, operation: Operation, path: Record<string, string>, inventory: Inventory): unknown {
  const { body } = operation;
  if (!body) return undefined;
  if (operation.path === '/admin/api/config/{key}')
    return { value: settingValue(random, path['key'] ?? '', inventory) };
  if (operation.path === '/admin/api/skills/{name}/try') {
    const skill = inventory.skills.find(({ name }) => name === path['name']);
    return { arguments: sample(random, skill?.inputSchema ?? { type: 'object' }, {}) };
  }
  return sample(random, body, inventory.schemas);
}

function settingValue(random: Random, key: string, { settings }: Inventory): unknown {
  const setting = settings.find((one) => one.key === key);
  switch (setting?.type) {
    case 'integer':
      return random.integer(setting.minimum ?? 0, (setting.maximum ?? 100) + 1);
    case 'string_list':
      return random.pick([setting.default, [], ['10.0.0.0/8'], ['http://localhost:1']]);
    case 'string':
      return key.endsWith('url') ? 'http://127.0.0.1:9/v1' : 'a-model';
    default:
      return 'a-secret-that-is-long-enough';
  }
}
