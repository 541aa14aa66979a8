import { isJson, type Json } from '../mcp/json-rpc';

/** Returns the initial values of a form: the defaults of the schema, and false for required booleans. */
export function defaultsOf(schema: Json): Json {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = isJson(schema['properties']) ? Object.entries(schema['properties']) : [];
  return Object.fromEntries(
    properties.flatMap(([name, property]): [string, unknown][] => {
      if (!isJson(property)) return [];
      if ('default' in property) return [[name, property['default']]];
      if (property['type'] === 'boolean' && required.includes(name)) return [[name, false]];
      const inner = defaultsOf(property);
      return Object.keys(inner).length > 0 ? [[name, inner]] : [];
    }),
  );
}

/** Returns the arguments with one of them changed; undefined removes it. */
export function withArgument(args: Json, name: string, value: unknown): Json {
  if (value !== undefined) return { ...args, [name]: value };
  return Object.fromEntries(Object.entries(args).filter(([other]) => other !== name));
}

type JsonValue = null | boolean | number | string | unknown[] | Json;

export type ParsedJson = { value: JsonValue } | { problem: string };

/** Parses any JSON that was entered. */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    return { problem: `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

export type ParsedArguments = { arguments: Json } | { problem: string };

/** Parses arguments that were entered as JSON. */
export function parseArguments(text: string): ParsedArguments {
  const parsed = parseJson(text || '{}');
  if ('problem' in parsed) return parsed;
  return isJson(parsed.value)
    ? { arguments: parsed.value }
    : { problem: 'The arguments must be a JSON object: { ... }' };
}
