import { inOurDialect, newAjv } from './ajv.js';
import { mayTakeLong, withinTime } from './schema-cost.js';
import type { SchemaProblem } from './schema-problems.js';
import { withDefaults } from './with-defaults.js';

/** Keywords that hold a schema, a list of schemas, and schemas by name. */
const SCHEMA = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'];
const SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', '$defs'];

/** Further defaults are not checked: each is compiled on its own. */
const MOST_DEFAULTS = 100;
const MOST_LEVELS = 50;
/** Limits of a check that may be slow: a default that exceeds them is left to the calls. */
const MOST_CHARACTERS = 1_000;
const MOST_MS = 10;

interface Found {
  path: string;
  schema: Record<string, unknown>;
}

/** Returns an error for each `default` that does not fit the schema that declares it. @param schema a valid JSON Schema */
export function problemsOfDefaults(schema: object): SchemaProblem[] {
  const ours = inOurDialect(schema);
  const found: Found[] = [];
  collect(ours, '', 0, found);
  if (found.length === 0) return [];
  const ajv = newAjv(ours, {}).addSchema(ours, 'root');
  return found.flatMap(({ path, schema: declaring }) => {
    const fits = ajv.getSchema(`root#${path.split('/').map(encodeURIComponent).join('/')}`);
    if (!fits) return [];
    const value = withDefaults(declaring['default'], declaring);
    const isSlow = mayTakeLong(declaring);
    if (isSlow && JSON.stringify(value).length > MOST_CHARACTERS) return [];
    const isFine = isSlow ? withinTime(MOST_MS, () => fits(value)) !== false : fits(value);
    if (isFine) return [];
    const message = `does not fit its own schema: ${fits.errors?.[0]?.message ?? 'it is not valid'}`;
    return [{ path: `${path}/default`, message, severity: 'error' as const }];
  });
}

function collect(schema: unknown, path: string, level: number, found: Found[]): void {
  if (!isObject(schema) || level > MOST_LEVELS || found.length >= MOST_DEFAULTS) return;
  if (Object.hasOwn(schema, 'default')) found.push({ path, schema });
  for (const keyword of SCHEMA) collect(schema[keyword], `${path}/${keyword}`, level + 1, found);
  for (const keyword of [...SCHEMAS, ...NAMED]) {
    const held = schema[keyword];
    if (typeof held !== 'object' || held === null || Array.isArray(held) !== SCHEMAS.includes(keyword)) continue;
    for (const [name, one] of Object.entries(held)) {
      const step = name.replaceAll('~', '~0').replaceAll('/', '~1');
      collect(one, `${path}/${keyword}/${step}`, level + 1, found);
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
