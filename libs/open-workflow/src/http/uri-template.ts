import type { Json } from '../json.js';
import { standardError } from '../workflow-error.js';

/**
 * Fills in the variables of a URI template (RFC 6570, simple string expansion) from the properties of an object.
 * Variables without a value become empty.
 * @throws WorkflowError (expression) when a value is an object or an array
 */
export function expandUri(template: string, values: Json): string {
  return template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value =
      typeof values === 'object' && values !== null && Object.hasOwn(values, name)
        ? (values as Record<string, Json>)[name]
        : null;
    if (value === null || value === undefined) return '';
    if (typeof value !== 'object') return encode(String(value));
    throw standardError('expression', `{${name}} in ${template} must be a text, a number or a boolean.`);
  });
}

/** Encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
