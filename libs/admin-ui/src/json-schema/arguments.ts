import { isJson, type Json } from '../mcp/json-rpc';

/** What a form starts with: the defaults of the schema, false where a yes or no is required, and nothing for the rest. */
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

/** The same arguments with one of them changed; undefined takes it out. */
export function withArgument(args: Json, name: string, value: unknown): Json {
  if (value !== undefined) return { ...args, [name]: value };
  return Object.fromEntries(Object.entries(args).filter(([other]) => other !== name));
}

export type ParsedArguments = { arguments: Json } | { problem: string };

/** Reads arguments that were written as JSON. */
export function parseArguments(text: string): ParsedArguments {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return isJson(value) ? { arguments: value } : { problem: 'The arguments must be a JSON object: { ... }' };
  } catch (error) {
    return { problem: `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
