import { inWords } from '../../json-schema/problem-message';
import { isJson, type Json } from '../../mcp/json-rpc';

/** Returns a schema whose fields are initially empty: defaults are described, but not filled in. */
export function formSchemaOf(schema: Json): Json {
  const properties = isJson(schema['properties']) ? Object.entries(schema['properties']) : [];
  return { ...schema, properties: Object.fromEntries(properties.map(([name, one]) => [name, withoutDefault(one)])) };
}

function withoutDefault(setting: unknown): unknown {
  if (!isJson(setting)) return setting;
  const { default: value, description, minimum, maximum, ...rest } = setting;
  const bounds = [
    minimum !== undefined && `at least ${inWords(minimum)}`,
    maximum !== undefined && `at most ${inWords(maximum)}`,
  ].filter((bound) => bound !== false);
  const facts = [
    description,
    bounds.length > 0 && `${capitalized(bounds.join(', '))}.`,
    value === undefined ? 'No default.' : `Default: ${inWords(value)}.`,
  ].filter((fact) => typeof fact === 'string');
  return {
    ...rest,
    description: facts.join(' '),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
