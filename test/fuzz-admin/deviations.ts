import { isMembers, resolved, type Schema } from './samples.js';

/** A body with one thing changed. */
export interface Deviation {
  /** Which member was changed, as a dotted path, and how. */
  what: string;
  body: unknown;
  /** Whether the description of the operation rules the body out. */
  isRuledOut: boolean;
}

type Schemas = Record<string, Schema>;

/** One of each kind. */
const VALUES: readonly unknown[] = [null, '', 'text', 0, -1, 1.5, 1e300, true, [], [null], {}, { a: null }];

/** Returns a body without each of its members, and with a value of each kind in the place of each of them. */
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

/** Returns what can be in the place of a value. */
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
