import { isMembers, resolved, type Schema } from './samples.js';

export interface Deviation {
  /** The changed member, as a dotted path, and the change. */
  what: string;
  body: unknown;
  /** True if the schema of the operation forbids the body. */
  isRuledOut: boolean;
}

type Schemas = Record<string, Schema>;

/** One value of each kind. */
const VALUES: readonly unknown[] = [null, '', 'text', 0, -1, 1.5, 1e300, true, [], [null], {}, { a: null }];

/** Returns copies of a body, each without one of its members, or with a value of another kind in its place. */
export function deviationsOf(body: unknown, schema: Schema, schemas: Schemas): Deviation[] {
  if (Array.isArray(body)) {
    const { items = {} } = resolved(schema, schemas);
    return body.flatMap((item, index) =>
      deviationsAt(String(index), item, items, schemas).map((one) => ({ ...one, body: body.with(index, one.body) })),
    );
  }
  if (!isMembers(body)) return [];
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(body).flatMap(([name, member]) => {
    const { [name]: _, ...others } = body;
    const changes = deviationsAt(name, member, properties[name] ?? {}, schemas);
    return [
      { what: `${name} is left out`, body: others, isRuledOut: required.includes(name) },
      ...changes.map((one) => ({ ...one, body: { ...body, [name]: one.body } })),
    ];
  });
}

/** Returns the possible replacements for a value. */
function deviationsAt(name: string, value: unknown, schema: Schema, schemas: Schemas): Deviation[] {
  const others = VALUES.map((other) => ({
    what: `${name} is ${JSON.stringify(other)}`,
    body: other,
    isRuledOut: !hasType(other, resolved(schema, schemas)),
  }));
  const within = deviationsOf(value, schema, schemas).map((one) => ({ ...one, what: `${name}.${one.what}` }));
  return [...others, ...within];
}

function hasType(value: unknown, { type, nullable, oneOf, anyOf }: Schema): boolean {
  if (type === undefined || oneOf || anyOf) return true;
  if (value === null) return nullable ?? false;
  const types = [type].flat();
  return types.includes(typeOf(value)) || (types.includes('number') && typeof value === 'number');
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
