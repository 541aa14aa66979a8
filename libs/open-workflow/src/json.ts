export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json | undefined;
}

/** Types a part of a definition as the JSON that it was parsed from. */
export const asJson = (part: object): JsonObject => part as JsonObject;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value if it is an object, else an empty object. */
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** Returns a text unchanged, and everything else as JSON. */
export const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
