import { isJson, type Json, textAt } from './json';

interface Described {
  name: string;
  label: string;
  description: string | null;
  isRequired: boolean;
  initial: unknown;
}

export type Field = Described &
  (
    | { kind: 'text'; isLong: boolean; type: 'text' | 'email' | 'url' | 'date' | 'datetime-local' }
    | { kind: 'number'; isInteger: boolean }
    | { kind: 'boolean' }
    | { kind: 'choice'; options: { value: unknown; label: string }[] }
  );

const INPUT_TYPES = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const;
// Texts that may be longer than this get a multi-line field.
const LONG_TEXT = 200;

/** Returns the fields of a flat JSON Schema, as used in questions. */
export function fieldsOf(schema: Json): Field[] {
  const properties = isJson(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return properties.map(([name, property]) => toField(name, isJson(property) ? property : {}, required.includes(name)));
}

/** Returns the entered value of a field; undefined when it is empty. */
export function valueOf(field: Field, entered: string | boolean): unknown {
  if (field.kind === 'boolean') return entered === true;
  const text = String(entered);
  if (text === '') return undefined;
  if (field.kind === 'choice') return field.options[Number(text)]?.value;
  if (field.kind === 'number') return Number(text);
  if (field.type !== 'datetime-local') return text;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString(); // the service refuses a year such as 20271
}

function toField(name: string, schema: Json, isRequired: boolean): Field {
  const described: Described = {
    name,
    label: textAt(schema, 'title') ?? name,
    description: textAt(schema, 'description'),
    isRequired,
    initial: schema['default'],
  };
  const options = optionsOf(schema);
  if (options) return { ...described, kind: 'choice', options };
  if (schema['type'] === 'boolean') return { ...described, kind: 'boolean' };
  if (schema['type'] === 'number' || schema['type'] === 'integer') {
    return { ...described, kind: 'number', isInteger: schema['type'] === 'integer' };
  }
  const format = textAt(schema, 'format');
  const isLong = Number(schema['maxLength'] ?? 0) > LONG_TEXT;
  return { ...described, kind: 'text', isLong, type: isInputFormat(format) ? INPUT_TYPES[format] : 'text' };
}

function optionsOf(schema: Json): { value: unknown; label: string }[] | null {
  const values = schema['enum'];
  if (Array.isArray(values)) {
    const names: unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
    return values.map((value: unknown, index) => ({ value, label: String(names[index] ?? value) }));
  }
  const choices = schema['oneOf'];
  if (!Array.isArray(choices)) return null;
  return choices
    .filter(isJson)
    .map((choice) => ({ value: choice['const'], label: textAt(choice, 'title') ?? String(choice['const']) }));
}

const isInputFormat = (format: string | null): format is keyof typeof INPUT_TYPES =>
  format !== null && Object.hasOwn(INPUT_TYPES, format);
