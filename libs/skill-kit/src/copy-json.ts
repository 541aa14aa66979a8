import type { JsonObject } from './skill-result.js';

/** Returns a deep copy; for JSON data, several times as fast as `structuredClone`. */
export function copyJson<Value extends JsonObject>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const copied: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') Object.defineProperty(copied, key, { ...PLAIN, value: copy(member) });
    else copied[key] = copy(member);
  }
  return copied;
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

/**
 * Returns a copy without members that are named like those of `Object.prototype`, such as `constructor`: they confuse
 * class-transformer.
 */
export function withoutInheritedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInheritedNames);
  if (!isPlain(value)) return value;
  const members = Object.entries(value).filter(([name]) => !(name in Object.prototype));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutInheritedNames(member)]));
}

/**
 * Restores the members that `withoutInheritedNames` has removed from values that are declared without a class.
 * @param made the instance of a class, which is changed @param given the data that it was made from
 */
export function withEveryMember<Value>(made: Value, given: unknown): Value {
  if (!isObject(made) || !isObject(given)) return made;
  for (const [name, member] of Object.entries(made)) Object.assign(made, { [name]: kept(member, given[name]) });
  return made;
}

function kept(member: unknown, given: unknown): unknown {
  if (!isObject(member) || !isObject(given)) return member;
  return isPlain(member) ? copy(given) : withEveryMember(member, given);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
