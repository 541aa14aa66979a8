import { isObject, type Json } from '../json.js';
import { standardError } from '../workflow-error.js';

const LONGEST_SHOWN = 300;

/**
 * Expands the variables of a URI template (RFC 6570, simple string expansion) from the properties of an object. Unlike in the
 * RFC, each needs a value: without one, the address would be another, such as that of all users instead of one.
 * @throws WorkflowError (expression) when a value is missing, null, an empty text, an object or an array, or changes the path, as
 * `..` does
 */
export function expandUri(template: string, values: Json): string {
  const uri = filledIn(template, (name) => encode(valueOf(name, template, values)));
  const written = segmentsOf(filledIn(template, () => 'x'));
  if (segmentsOf(uri).every((segment, index) => !isDots(segment) || isDots(written[index] ?? ''))) return uri;
  const detail = `The values in ${shown(template)} lead to another path: in a path, none may be "." or "..".`;
  throw standardError('expression', detail);
}

const filledIn = (template: string, valueOf: (name: string) => string): string =>
  template.replace(/\{([^{}]*)\}/g, (_, name: string) => valueOf(name));

function valueOf(name: string, template: string, values: Json): string {
  const value = isObject(values) && Object.hasOwn(values, name) ? values[name] : undefined;
  if (value !== undefined && value !== null && value !== '') {
    if (typeof value !== 'object') return String(value);
    throw standardError('expression', `{${name}} in ${shown(template)} must be a text, a number or a boolean.`);
  }
  const reason = reasonOf(value, JSON.stringify(name), values);
  const advice = 'Give the task an input with a value for it (input.from), or leave the task out (if).';
  throw standardError('expression', `{${name}} in ${shown(template)} has no value: ${reason}. ${advice}`);
}

function reasonOf(value: null | '' | undefined, name: string, values: Json): string {
  if (!isObject(values)) return 'the input is no object';
  if (value === undefined) return `the input has no ${name}`;
  return `${name} of the input is ${value === null ? 'null' : 'an empty text'}`;
}

/** Encoded values contain no `/`, so their number of segments does not depend on the values. */
const segmentsOf = (uri: string): string[] => uri.replace(/[?#].*$/s, '').split('/');

/** URLs resolve these segments, encoded or not. */
const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment);

const shown = (template: string): string =>
  template.length > LONGEST_SHOWN ? `${template.slice(0, LONGEST_SHOWN)}...` : template;

/** Encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
