import type { Random } from '../fuzz/random.js';

/** A JSON Schema, as in OpenAPI documents and skills. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: [unknown, ...unknown[]];
  const?: unknown;
  oneOf?: [Schema, ...Schema[]];
  anyOf?: [Schema, ...Schema[]];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  nullable?: boolean;
  example?: unknown;
  format?: string;
}

/** Valid texts for members with these names. No request goes to another machine. */
const TEXTS: Record<string, (random: Random) => string> = {
  url: (random) => `http://127.0.0.1:9/${random.integer(0, 50)}`,
  uri: (random) => `memory://shared/k${random.integer(0, 30)}`,
  key: (random) => `k${random.integer(0, 30)}`,
  namespace: (random) => random.pick(['shared', 'team', 'n1']),
  path: (random) => `docs/${random.integer(0, 50)}.${random.pick(['md', 'txt', 'html', 'exe'])}`,
  password: (random) => random.pick(['wrong', 'guess', 'let-me-in-please']),
  since: () => '2026-01-01T00:00:00Z',
  opml: (random) =>
    `<opml version="2.0"><body><outline text="a"><outline type="rss" xmlUrl="http://127.0.0.1:9/${random.integer(0, 50)}"/></outline></body></opml>`,
};

const WORDS = ['deploy', 'days', 'Straße', 'カレンダー', '# heading\n\ntext', '"quoted', '-', 'a*', '👩‍🚀'] as const;

/** Returns a value that roughly fits a schema: constraints that the schema states only in words follow from the name. */
export function sample(random: Random, schema: Schema, schemas: Record<string, Schema>, name = ''): unknown {
  const { $ref, oneOf = schema.anyOf, allOf } = schema;
  if ($ref) return sample(random, resolved(schema, schemas), schemas, name);
  if (schema.enum) return random.pick(schema.enum);
  if (schema.const !== undefined) return schema.const;
  if (oneOf) return sample(random, random.pick(oneOf), schemas, name);
  if (allOf) return Object.assign({}, ...allOf.map((part) => sample(random, part, schemas, name))) as unknown;
  if (schema.nullable && random.chance(0.2)) return null;
  return sampleOfType(random, schema, schemas, name);
}

function sampleOfType(random: Random, schema: Schema, schemas: Record<string, Schema>, name: string): unknown {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return random.integer(schema.minimum ?? 0, (schema.maximum ?? 100) + 1);
    case 'array':
      return Array.from({ length: random.integer(0, 4) }, () => sample(random, schema.items ?? {}, schemas, name));
    case 'object':
      return objectOf(random, schema, schemas);
    default:
      return (TEXTS[name] ?? words)(random);
  }
}

function objectOf(random: Random, schema: Schema, schemas: Record<string, Schema>): object {
  const isGiven = (name: string) => schema.required?.includes(name) || random.chance(0.5);
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => isGiven(name));
  return Object.fromEntries(members.map(([name, member]) => [name, sample(random, member, schemas, name)]));
}

const words = (random: Random): string =>
  Array.from({ length: random.integer(1, 12) }, () => random.pick(WORDS)).join(' ');

/** Resolves a reference, also one with a description beside it. */
export function resolved(schema: Schema, schemas: Record<string, Schema>): Schema {
  const [only, ...others] = schema.allOf ?? [];
  if (schema.$ref) return schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {};
  return only && others.length === 0 ? { ...resolved(only, schemas), ...schema, allOf: [] } : schema;
}

export const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
