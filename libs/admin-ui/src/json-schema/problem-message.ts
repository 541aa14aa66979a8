import { isJson, type Json } from '../mcp/json-rpc';

/** A keyword of a schema that a value violates. */
export interface Violation {
  /** `minimum`, `format`, ... */
  keyword: string;
  /** The schema that the keyword is in; null = not found. */
  schema: Json | null;
  /** The message of a validator. */
  fallback: string;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number, such as 1.5',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object: { ... }',
  null: 'null',
};

/** Descriptions of the formats of strings, with examples. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date, such as 2026-11-21',
  time: 'a time with its zone, such as 10:15:00Z',
  'date-time': 'a date and time with its zone, such as 2026-11-21T10:15:00Z',
  duration: 'a duration, such as PT30M or P2D',
  email: 'an email address, such as ada@example.com',
  hostname: 'the name of a host, such as example.com',
  ipv4: 'an IPv4 address, such as 192.0.2.1',
  ipv6: 'an IPv6 address, such as 2001:db8::1',
  uri: 'a full URL, such as https://example.com/page',
  'uri-reference': 'a URL, such as https://example.com/page or /page',
  uuid: 'a UUID, such as 7f3b0a52-1c2d-4e8f-9a6b-5d4c3b2a1f00',
  regex: 'a regular expression',
};

/** Describes a format, with an example; null = unknown format. */
const formatInWords = (format: string): string | null => FORMATS[format] ?? null;

/** Describes what a value must be instead. */
export function messageOf({ keyword, schema, fallback }: Violation): string {
  const limit = schema?.[keyword];
  switch (keyword) {
    case 'required':
      return 'Fill this in.';
    case 'false':
      return 'There is no argument with this name.';
    case 'type':
      return `Enter ${typesInWords(limit)}.`;
    case 'enum':
      return Array.isArray(limit) ? `Choose one of ${limit.map(inWords).join(', ')}.` : fallback;
    case 'const':
      return `Only ${inWords(limit)} is possible here.`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return schema ? `Enter ${boundsInWords(schema)}.` : fallback;
    case 'multipleOf':
      return `Enter a multiple of ${String(limit)}.`;
    case 'minLength':
      return `Enter at least ${counted(limit, 'character')}.`;
    case 'maxLength':
      return `Enter at most ${counted(limit, 'character')}.`;
    case 'minItems':
      return `Enter at least ${counted(limit, 'entry', 'entries')}.`;
    case 'maxItems':
      return `Enter at most ${counted(limit, 'entry', 'entries')}.`;
    case 'uniqueItems':
      return 'Each entry may occur only once.';
    case 'format':
      return `Enter ${formatInWords(String(limit)) ?? `a text of the format ${String(limit)}`}.`;
    case 'pattern':
      return typeof schema?.['description'] === 'string'
        ? `This does not have the required form: ${schema['description']}`
        : `This does not have the required form: ${String(limit)}`;
    case 'anyOf':
    case 'oneOf':
      return alternatives(limit);
    default:
      return fallback;
  }
}

const typesInWords = (type: unknown): string =>
  (Array.isArray(type) ? type.filter((one) => one !== 'null') : [type])
    .map((one) => TYPES[String(one)] ?? String(one))
    .join(' or ');

function boundsInWords(schema: Json): string {
  const bound = (keyword: string, before: string, after = '') => {
    const limit = schema[keyword];
    return typeof limit === 'number' ? [`${before} ${limit}${after}`] : [];
  };
  const what = schema['type'] === 'integer' ? 'a whole number' : 'a number';
  if ('minimum' in schema && 'maximum' in schema)
    return [what, ...bound('minimum', 'from'), ...bound('maximum', 'to')].join(' ');
  const bounds = [
    ...bound('minimum', 'of', ' or more'),
    ...bound('exclusiveMinimum', 'above'),
    ...bound('maximum', 'of', ' or less'),
    ...bound('exclusiveMaximum', 'below'),
  ];
  return `${what} ${bounds.join(' and ')}`;
}

function alternatives(branches: unknown): string {
  const schemas: unknown[] = Array.isArray(branches) ? branches : [];
  const asked = schemas.filter(isJson).map(({ type, format }) => {
    if (typeof format === 'string') return formatInWords(format);
    return type === undefined ? null : typesInWords(type);
  });
  const known = asked.filter((one) => one !== null);
  return known.length === schemas.length && known.length > 0
    ? `Enter ${known.join(', or ')}.`
    : 'This matches none of the allowed forms.';
}

const counted = (count: unknown, one: string, several = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : several}`;

export const inWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
