import type { Json, JsonObject } from './json.js';

/** Returns the program of a text of the form `${ ... }`; undefined for any other text, which is a literal. */
export function enclosedProgram(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed.startsWith('${') && trimmed.endsWith('}') ? trimmed.slice(2, -1) : undefined;
}

/** Returns the program of a text in a place for an expression, with or without `${ }` around it. */
export const programOf = (text: string): string => enclosedProgram(text) ?? text;

/** Returns the names of the variables that a program may use, without the `$`. */
export function variablesIn(program: string): string[] {
  return program.includes('$') ? [...program.matchAll(/\$([A-Za-z_]\w*)/g)].map(([, name = '']) => name) : [];
}

/** Returns all texts in a value, in the order in which `replaceTexts` visits them. */
export function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member: Json | undefined) => (member === undefined ? [] : textsOf(member)));
}

export function replaceTexts(value: Json, replace: (text: string) => Json): Json {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => replaceTexts(member, replace));
  const copy: JsonObject = {};
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) setOwn(copy, name, replaceTexts(member, replace));
  return copy;
}

/** Sets a property with any name; an assignment would treat `__proto__` specially. */
export function setOwn(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
