type Members = Record<string, unknown>;

/** Deeper values stay unchanged. */
const MOST_LEVELS = 20;

/**
 * Fills in the `default` of each absent property that a schema declares under `properties`, also in the objects and lists of
 * objects that a value has. Does not modify the value; returns it if nothing is missing. The defaults are not copied.
 */
export function withDefaults<Value>(value: Value, schema: unknown): Value {
  return filled(value, schema, 0) as Value;
}

function filled(value: unknown, schema: unknown, level: number): unknown {
  if (!isObject(schema) || level > MOST_LEVELS) return value;
  const { properties, items } = schema;
  if (Array.isArray(value)) {
    const better = isObject(items) ? value.map((item) => filled(item, items, level + 1)) : value;
    return better.some((item, index) => item !== value[index]) ? better : value;
  }
  return isObject(value) && isObject(properties) ? withProperties(value, properties, level) : value;
}

function withProperties(value: Members, properties: Members, level: number): Members {
  const changed = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    if (!Object.hasOwn(value, name))
      return isObject(property) && Object.hasOwn(property, 'default') ? [[name, property['default']]] : [];
    const better = filled(value[name], property, level + 1);
    return better === value[name] ? [] : [[name, better]];
  });
  return changed.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changed]);
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
