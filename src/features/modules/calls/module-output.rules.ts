import { isObject, parseBoundedJson } from '#bounded-json';
import { type Content, elicit, inputRequired, type JsonObject, type SkillOutput } from '#skill-kit';
import { UnusableOutput } from './module-calls.errors.js';

/** Maximum size of an output as JSON, in bytes. */
const MOST_BYTES = 10_000_000;
const MOST_LEVELS = 100;
const MOST_QUESTIONS = 10;
/** Maximum size of questions as JSON, in characters: they pass through the client, and return with the answers. */
const MOST_ASKED = 100_000;

/**
 * Parses the output of a module's skill: a text, an object, contents, or questions to the person.
 * @param json `{"output":...}` or `{"questions":...}`
 * @throws UnusableOutput
 */
export function readOutput(json: string): SkillOutput {
  const bytes = Buffer.from(json);
  if (bytes.length > MOST_BYTES) throw new UnusableOutput(`it returned more than ${MOST_BYTES} bytes of JSON`);
  const read = parseBoundedJson(bytes, MOST_LEVELS);
  if (!('value' in read)) throw new UnusableOutput(`it returned what is nested deeper than ${MOST_LEVELS} levels`);
  const { output, questions } = read.value as { output?: unknown; questions?: unknown };
  if (questions !== undefined) return questionsOf(questions);
  if (typeof output === 'string') return output;
  if (!isObject(output)) return JSON.stringify(output ?? null);
  return Array.isArray(output['content']) ? resultOf(output, output['content']) : output;
}

function questionsOf(questions: unknown): SkillOutput {
  const asked = isObject(questions) ? Object.entries(questions) : [];
  if (asked.length === 0 || asked.length > MOST_QUESTIONS)
    throw new UnusableOutput(`ask(...) needs 1 to ${MOST_QUESTIONS} questions`);
  if (JSON.stringify(questions).length > MOST_ASKED)
    throw new UnusableOutput(`its questions have more than ${MOST_ASKED} characters of JSON`);
  const inputRequests = asked.map(([key, question]) => {
    const { message, schema } = isObject(question) ? question : {};
    const shown = `the question ${key.slice(0, 60)}`;
    if (typeof message !== 'string' || !isObject(schema) || schema['type'] !== 'object')
      throw new UnusableOutput(`${shown} needs a message, and a schema of type object`);
    const field = fieldWithoutForm(schema);
    if (field !== null) throw new UnusableOutput(`${shown}: ${field.slice(0, 60)} must be ${FIELDS}`);
    return [key, elicit(message, schema)] as const;
  });
  return inputRequired({ inputRequests: Object.fromEntries(inputRequests) });
}

const FIELDS =
  'a string (with the format email, uri, date, date-time or none), number, integer or boolean, or an array of choices';
const FIELD_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);
const FORMATS: ReadonlySet<unknown> = new Set([undefined, 'email', 'uri', 'date', 'date-time']);

/** Returns the first property that clients have no form for; null when there is none. They would refuse the whole question. */
function fieldWithoutForm({ properties }: JsonObject): string | null {
  if (!isObject(properties)) return 'its properties';
  return Object.entries(properties).find(([, field]) => !hasForm(field))?.[0] ?? null;
}

/** Specification 2026-07-28, client/elicitation, "Requested Schema". */
function hasForm(field: unknown): boolean {
  if (!isObject(field)) return false;
  const { type, format, items } = field;
  if (type === 'array' && isObject(items))
    return Array.isArray(items['anyOf']) || (items['type'] === 'string' && Array.isArray(items['enum']));
  return FIELD_TYPES.has(type) && FORMATS.has(format);
}

function resultOf({ structuredContent, isError }: JsonObject, content: readonly unknown[]): SkillOutput {
  const contents = content.map((block, index) => {
    const found = contentOf(block);
    if (!found) throw new UnusableOutput(`content ${index + 1} of its result is none of ${FORMS}`);
    return found;
  });
  if (structuredContent !== undefined && !isObject(structuredContent))
    throw new UnusableOutput('the structuredContent of its result must be an object');
  return {
    content: contents,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError === true && { isError }),
  };
}

const FORMS =
  '{ type: "text", text }, { type: "image" or "audio", data (base64), mimeType }, { type: "resource_link", uri, name }';

/** Returns a content with only the allowed fields: clients refuse a result with others. */
function contentOf(block: unknown): Content | null {
  if (!isObject(block)) return null;
  const { type, text, data, mimeType, uri, name } = block;
  if (type === 'text' && isText(text)) return { type, text };
  if ((type === 'image' || type === 'audio') && isText(data) && isText(mimeType) && isBase64(data))
    return { type, data, mimeType };
  if (type !== 'resource_link' || !isText(uri) || !isText(name)) return null;
  const more = ['title', 'description', 'mimeType'].flatMap((key) => (isText(block[key]) ? [[key, block[key]]] : []));
  return { type, uri, name, ...(Object.fromEntries(more) as object) };
}

function isBase64(data: string): boolean {
  try {
    atob(data);
    return true;
  } catch {
    return false;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
