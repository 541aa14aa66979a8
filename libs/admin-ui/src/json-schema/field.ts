import { isJson, type Json } from '../mcp/json-rpc';

interface Described {
  name: string;
  label: string;
  description: string | null;
  isRequired: boolean;
}

interface TextField extends Described {
  kind: 'text';
  isLong: boolean;
}

interface NumberField extends Described {
  kind: 'number';
  isInteger: boolean;
  minimum?: number;
  maximum?: number;
}

export interface ChoiceField extends Described {
  kind: 'choice';
  options: readonly unknown[];
}

export interface ListField extends Described {
  kind: 'list';
  /** Type of each entry. */
  entry: 'text' | 'number';
}

export interface GroupField extends Described {
  kind: 'group';
  fields: readonly Field[];
}

/** A boolean; or any JSON, where a form cannot express the schema. */
interface OtherField extends Described {
  kind: 'boolean' | 'json';
}

/** A form field for one property of a JSON Schema. */
export type Field = TextField | NumberField | ChoiceField | ListField | GroupField | OtherField;

// Texts that may be longer than this get a field of several lines.
const LONG_TEXT = 200;

/** Returns the fields of a schema of type object; none when it declares no properties. */
export function fieldsOf(schema: Json): Field[] {
  const properties = isJson(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) =>
    toField(name, isJson(property) ? property : {}, required.includes(name)),
  );
}

/** Returns whether a form can express everything that the top level of the schema allows; otherwise JSON is the default. */
export const isFormEnough = (schema: Json): boolean =>
  !['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties'].some((keyword) => keyword in schema);

function toField(name: string, schema: Json, isRequired: boolean): Field {
  const described: Described = {
    name,
    label: textAt(schema, 'title') ?? name,
    description: textAt(schema, 'description'),
    isRequired,
  };
  if (Array.isArray(schema['enum'])) return { ...described, kind: 'choice', options: schema['enum'] };
  switch (typeOf(schema)) {
    case 'string':
      return { ...described, kind: 'text', isLong: (numberAt(schema, 'maxLength') ?? 0) > LONG_TEXT };
    case 'number':
    case 'integer':
      return { ...described, kind: 'number', isInteger: typeOf(schema) === 'integer', ...boundsOf(schema) };
    case 'boolean':
      return { ...described, kind: 'boolean' };
    case 'array':
      return listField(described, schema['items']);
    case 'object':
      return groupField(described, schema);
    default:
      return { ...described, kind: 'json' };
  }
}

function listField(described: Described, items: unknown): Field {
  const type = isJson(items) && !('enum' in items) ? typeOf(items) : null;
  if (type === 'string') return { ...described, kind: 'list', entry: 'text' };
  if (type === 'number' || type === 'integer') return { ...described, kind: 'list', entry: 'number' };
  return { ...described, kind: 'json' };
}

function groupField(described: Described, schema: Json): Field {
  const fields = fieldsOf(schema);
  return fields.length > 0 && isFormEnough(schema)
    ? { ...described, kind: 'group', fields }
    : { ...described, kind: 'json' };
}

// ["string", "null"] means a string that may be left out.
function typeOf({ type }: Json): unknown {
  if (!Array.isArray(type)) return type;
  const types = type.filter((one) => one !== 'null');
  return types.length === 1 ? types[0] : null;
}

function boundsOf(schema: Json): Pick<NumberField, 'minimum' | 'maximum'> {
  return { minimum: numberAt(schema, 'minimum'), maximum: numberAt(schema, 'maximum') };
}

function textAt(schema: Json, keyword: string): string | null {
  const value = schema[keyword];
  return typeof value === 'string' ? value : null;
}

function numberAt(schema: Json, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}
