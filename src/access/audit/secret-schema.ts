import type { JsonObject } from '#skill-kit';

type Schema = Readonly<Record<string, unknown>>;

/** Schemas that are inspected for one value. Beyond this limit, the value counts as a secret. */
const MOST_SCHEMAS = 50;
const COMBINING = ['allOf', 'anyOf', 'oneOf'] as const;
const CONDITIONAL = ['if', 'then', 'else', 'not'] as const;

const secretive = new WeakMap<object, boolean>();

/** Returns whether a schema marks anything as a secret (`writeOnly`). */
export function marksSecrets(schema: JsonObject): boolean {
  const known = secretive.get(schema);
  if (known !== undefined) return known;
  const marks = JSON.stringify(schema).includes('"writeOnly"');
  secretive.set(schema, marks);
  return marks;
}

/**
 * The schemas that may apply to a value, found without inspecting the value. They include all alternatives, so that a value that
 * any of them marks as secret is never shown.
 */
export class SchemaPlace {
  private constructor(
    private readonly root: Schema,
    private readonly schemas: readonly Schema[],
    readonly isSecret: boolean,
  ) {}

  static at(root: JsonObject): SchemaPlace {
    return SchemaPlace.of(root, [root]);
  }

  private static of(root: Schema, named: readonly unknown[]): SchemaPlace {
    const found: Schema[] = [];
    const waiting = [...named];
    while (waiting.length > 0 && found.length <= MOST_SCHEMAS) {
      const schema = waiting.pop();
      if (!isSchema(schema) || found.includes(schema)) continue;
      found.push(schema);
      waiting.push(...alternativesOf(schema, root).slice(0, MOST_SCHEMAS + 1));
    }
    const isSecret = found.length > MOST_SCHEMAS || found.some((schema) => schema['writeOnly'] === true);
    return new SchemaPlace(root, found, isSecret);
  }

  member(name: string): SchemaPlace {
    return this.inside((schema) => {
      const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
      const declared = isSchema(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
      // Patterns are not evaluated: they may take unbounded time.
      return [...declared, ...valuesOf(patternProperties), additionalProperties, unevaluatedProperties];
    });
  }

  element(): SchemaPlace {
    return this.inside(({ items, prefixItems, contains, unevaluatedItems }) => [
      ...listOf(items),
      ...listOf(prefixItems),
      contains,
      unevaluatedItems,
    ]);
  }

  private inside(partsOf: (schema: Schema) => unknown[]): SchemaPlace {
    if (this.schemas.length === 0) return this;
    return SchemaPlace.of(this.root, this.schemas.flatMap(partsOf));
  }
}

function alternativesOf(schema: Schema, root: Schema): unknown[] {
  const { $ref, dependentSchemas } = schema;
  return [
    ...(typeof $ref === 'string' ? [referred($ref, root)] : []),
    ...COMBINING.flatMap((keyword) => listOf(schema[keyword])),
    ...CONDITIONAL.map((keyword) => schema[keyword]),
    ...valuesOf(dependentSchemas),
  ];
}

/** Follows a reference within the schema (`#/$defs/card`). */
function referred(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#')) return undefined;
  let place: unknown = root;
  for (const part of reference.slice(1, 500).split('/').filter(Boolean)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isSchema(place) || !Object.hasOwn(place, name)) return undefined;
    place = place[name];
  }
  return place;
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MOST_SCHEMAS + 1) : [value]);
const valuesOf = (value: unknown): unknown[] =>
  isSchema(value) ? Object.values(value).slice(0, MOST_SCHEMAS + 1) : [];
