import { isJson, type Json } from '../mcp/json-rpc';

interface Described {
  name: string;
  label: string;
  description: string | null;
  isRequired: boolean;
}

export interface TextField extends Described {
  kind: 'text';
  isLong: boolean;
  /** Example of a text in this field; null = any text. */
  example: string | null;
}

interface NumberField extends Described {
  kind: 'number';
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

export interface BooleanField extends Described {
  kind: 'boolean';
  /** True when it is always true or false; otherwise it may also be omitted. */
  isAlwaysGiven: boolean;
}

/** Any JSON, for schemas that a form cannot express. */
interface OtherField extends Described {
  kind: 'json';
}

/** A form field for one property of a JSON Schema. */
export type Field = TextField | NumberField | ChoiceField | ListField | GroupField | BooleanField | OtherField;

// Texts that may be longer than this get a multi-line field.
const LONG_TEXT = 200;

/** An example for each format. */
const EXAMPLES: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  time: '10:15:00Z',
  'date-time': '2026-11-21T10:15:00Z',
  duration: 'PT30M',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/page',
};

/** Returns the fields of a schema of type object; none when it declares no properties. */
export function fieldsOf(schema: Json): Field[] {
  const properties = isJson(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) =>
    toField(name, isJson(property) ? property : {}, required.includes(name)),
  );
}

/** Returns the labels of the fields on the way to a value, or its names below a field that shows JSON. */
export function labelsOf([name, ...path]: readonly string[], fields: readonly Field[]): string[] {
  if (name === undefined) return [];
  const field = fields.find((one) => one.name === name);
  return [field?.label ?? name, ...labelsOf(path, field?.kind === 'group' ? field.fields : [])];
}

/** Returns whether a form can express everything that the top level of the schema allows; otherwise JSON is the default. */
export const isFormEnough = (schema: Json): boolean =>
  !['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties'].some((keyword) => keyword in schema);

function toField(name: string, declared: Json, isRequired: boolean): Field {
  const schema = withoutChoice(declared);
  const described: Described = {
    name,
    label: textAt(schema, 'title') ?? name,
    description: textAt(schema, 'description'),
    isRequired,
  };
  if (Array.isArray(schema['enum'])) return { ...described, kind: 'choice', options: schema['enum'] };
  switch (typeOf(schema)) {
    case 'string':
      return { ...described, kind: 'text', isLong: isLongText(schema), example: exampleOf(schema) };
    case 'number':
    case 'integer':
      return { ...described, kind: 'number' };
    case 'boolean':
      return { ...described, kind: 'boolean', isAlwaysGiven: isRequired || 'default' in schema };
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

// ["string", "null"] means an optional string.
function typeOf({ type }: Json): unknown {
  if (!Array.isArray(type)) return type;
  const types = type.filter((one) => one !== 'null');
  return types.length === 1 ? types[0] : null;
}

/**
 * Simplifies a schema with alternatives that a single field can express: another form of the same text, or null, which is the
 * same as omitting the value.
 */
function withoutChoice(schema: Json): Json {
  const choices: unknown = schema['anyOf'] ?? schema['oneOf'];
  if (!Array.isArray(choices) || choices.length === 0 || !choices.every(isJson)) return schema;
  const options = choices.filter(({ type }) => type !== 'null');
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  const [first, ...others] = options;
  if (first && others.length === 0) return { ...first, ...rest };
  return options.every((option) => isTextOf(option, schema))
    ? { ...rest, type: 'string', formats: options.map(({ format }) => format) }
    : schema;
}

// A format only applies to strings, so a schema with nothing else is a schema of strings.
const isTextOf = (option: Json, parent: Json): boolean =>
  !('enum' in option) && (typeOf(option) ?? typeOf(parent) ?? ('format' in option && 'string')) === 'string';

const isLongText = (schema: Json): boolean =>
  (numberAt(schema, 'maxLength') ?? 0) > LONG_TEXT && exampleOf(schema) === null;

function exampleOf(schema: Json): string | null {
  const formats = Array.isArray(schema['formats']) ? (schema['formats'] as unknown[]) : [schema['format']];
  const examples = formats.map((format) => EXAMPLES[String(format)]);
  return examples.length > 0 && examples.every((one) => one !== undefined) ? examples.join(' or ') : null;
}

function textAt(schema: Json, keyword: string): string | null {
  const value = schema[keyword];
  return typeof value === 'string' ? value : null;
}

function numberAt(schema: Json, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}
