import { isJson, type Json } from '../mcp/json-rpc';

/** A completion at a place, according to a JSON Schema. */
export interface Suggestion {
  label: string;
  description: string | null;
  isRequired: boolean;
  /** True when the value of the key is an object or a list, which begins on the next line. */
  isNested: boolean;
}

const DEEPEST = 40;

/** A key next to the last `below` of a path whose value selects one of several schemas. */
export interface Choice {
  below: string;
  key: string;
  value: string;
}

/** Returns the keys that an object at the path may have besides `present`; required are those that every choice needs. */
export function keysAt(
  root: Json,
  path: readonly (string | number)[],
  present: readonly string[],
  choice: Choice | null = null,
): Suggestion[] {
  const found = new Map<string, Suggestion>();
  const choices = likely(schemasAt(root, path, choice), present).filter((schema) => isJson(schema['properties']));
  for (const schema of choices) {
    for (const [label, property] of Object.entries(propertiesOf(schema))) {
      if (present.includes(label) || found.has(label)) continue;
      const isRequired = choices.every(({ required }) => Array.isArray(required) && required.includes(label));
      found.set(label, { label, ...describe(root, property), isRequired });
    }
  }
  return [...found.values()];
}

/** Returns the declared values at the path: of an `enum`, a `const` or a boolean. */
export function valuesAt(root: Json, path: readonly (string | number)[], choice: Choice | null = null): Suggestion[] {
  const values = new Map<unknown, string | null>();
  for (const schema of schemasAt(root, path, choice)) {
    const { const: only, description } = schema;
    const about = only !== undefined && typeof description === 'string' ? description : null;
    for (const value of declaredValues(schema)) if (!values.has(value)) values.set(value, about);
  }
  return [...values].map(([value, description]) => ({
    label: typeof value === 'string' ? value : JSON.stringify(value),
    description,
    isRequired: false,
    isNested: false,
  }));
}

function declaredValues(schema: Json): unknown[] {
  if (Array.isArray(schema['enum'])) return schema['enum'];
  if ('const' in schema) return [schema['const']];
  return schema['type'] === 'boolean' ? [true, false] : [];
}

/** Returns all schemas that may apply to a value at the path. */
function schemasAt(root: Json, path: readonly (string | number)[], choice: Choice | null = null): Json[] {
  let schemas = expand(root, root);
  const at = choice ? path.lastIndexOf(choice.below) : -1;
  for (const [index, part] of path.entries()) {
    if (choice && index === at) schemas = chosen(schemas, choice);
    schemas = unique(schemas.flatMap((schema) => within(schema, part)).flatMap((schema) => expand(root, schema)));
  }
  return schemas;
}

/** Leaves out schemas in which the key must have another value; and if any schema names the value, those that do not. */
function chosen(schemas: readonly Json[], { key, value }: Choice): Json[] {
  const named = (schema: Json) => {
    const property = propertiesOf(schema)[key];
    return isJson(property) ? declaredValues(property) : [];
  };
  const fitting = schemas.filter((schema) => named(schema).includes(value));
  return fitting.length > 0 ? fitting : schemas.filter((schema) => named(schema).length === 0);
}

/** Returns the schema itself and what it refers to, combines or chooses from. */
function expand(root: Json, schema: Json): Json[] {
  const found = new Set<Json>();
  const add = (one: unknown, depth: number) => {
    if (!isJson(one) || found.has(one) || depth > DEEPEST) return;
    found.add(one);
    if (typeof one['$ref'] === 'string') add(resolve(root, one['$ref']), depth + 1);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const parts = one[keyword];
      if (Array.isArray(parts)) for (const part of parts) add(part, depth + 1);
    }
    for (const keyword of ['then', 'else']) add(one[keyword], depth + 1);
  };
  add(schema, 0);
  return [...found];
}

function resolve(root: Json, reference: string): unknown {
  if (!reference.startsWith('#')) return null;
  let target: unknown = root;
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    if (!isJson(target)) return null;
    target = target[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return target;
}

function within(schema: Json, part: string | number): Json[] {
  if (typeof part === 'number') {
    const prefix = schema['prefixItems'];
    const item: unknown = (Array.isArray(prefix) ? (prefix as unknown[])[part] : undefined) ?? schema['items'];
    return isJson(item) ? [item] : [];
  }
  const properties = propertiesOf(schema);
  if (Object.hasOwn(properties, part)) return [properties[part]].filter(isJson);
  const patterns = isJson(schema['patternProperties']) ? Object.values(schema['patternProperties']) : [];
  return [...patterns, schema['additionalProperties']].filter(isJson);
}

/** Keeps the alternatives that know most of the keys. A key that none of them knows is a mistake. */
function likely(schemas: readonly Json[], present: readonly string[]): Json[] {
  const known = (schema: Json) => present.filter((key) => Object.hasOwn(propertiesOf(schema), key)).length;
  const isClosed = (schema: Json) => isJson(schema['properties']) && schema['additionalProperties'] === false;
  const most = Math.max(0, ...schemas.filter(isClosed).map(known));
  return schemas.filter((schema) => !isClosed(schema) || known(schema) === most);
}

function describe(root: Json, property: unknown): Pick<Suggestion, 'description' | 'isNested'> {
  const schemas = isJson(property) ? expand(root, property) : [];
  const text = schemas.map((schema) => schema['description']).find((one) => typeof one === 'string');
  const types = schemas.map((schema) => schema['type']).filter((type) => type !== undefined);
  return {
    description: typeof text === 'string' ? text : null,
    isNested: types.length > 0 && types.every((type) => type === 'object' || type === 'array'),
  };
}

const propertiesOf = (schema: Json): Json => (isJson(schema['properties']) ? schema['properties'] : {});
const unique = (schemas: readonly Json[]): Json[] => [...new Set(schemas)];
