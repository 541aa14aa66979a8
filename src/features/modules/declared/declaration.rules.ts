import { problemsOfDefaults, problemsOfSchema } from '#json-schema';
import { isObject, parseBoundedJson } from '#bounded-json';
import type { JsonObject } from '#skill-kit';
import { toHostEntry } from '../../workflows/secrets/secret-limits.rules.js';
import { SECRET_NAME, SECRET_NAME_RULE, SKILL_NAME, SKILL_NAME_RULE } from '../../workflows/secrets/workflow-secret.js';
import { type DeclaredSkill, type DeclaredUses, MOST_SKILLS } from './module.js';
import { problemsOfSettings, settingsIn } from './settings.rules.js';

const FIELDS = ['name', 'title', 'description', 'input', 'output', 'annotations', 'tags', 'uses'];
const USES = ['hosts', 'skills', 'secrets', 'databases', 'state', 'settings'];
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
const MOST_CHARACTERS = 262_144;
const MOST_SCHEMA = 65_536;
const MOST_LEVELS = 50;
const MOST_PROBLEMS = 20;
const MOST_ENTRIES = 50;

type Checked = { skills: DeclaredSkill[] } | { problems: string[] };

/** Parses the declaration of a module, a JSON list of skills. Returns all mistakes, one line each. */
export function readDeclaration(json: string): Checked {
  if (json.length > MOST_CHARACTERS)
    return { problems: [`the declaration has more than ${MOST_CHARACTERS} characters of JSON`] };
  const read = parseBoundedJson(Buffer.from(json), MOST_LEVELS);
  if (!('value' in read)) return { problems: [`the declaration is nested deeper than ${MOST_LEVELS} levels`] };
  if (!Array.isArray(read.value) || !read.value.every(isObject)) return { problems: ['it exports no list of skills'] };
  const declared = read.value;
  if (declared.length === 0) return { problems: ['it exports no skill'] };
  if (declared.length > MOST_SKILLS) return { problems: [`it exports more than ${MOST_SKILLS} skills`] };
  const problems: string[] = [];
  const skills = declared.map((one, index) => skillOf(one, index, problems));
  const names = skills.map(({ name }) => name);
  for (const name of new Set(names.filter((name, index) => names.indexOf(name) < index)))
    problems.push(`two skills are called ${name}: rename one`);
  problems.push(...problemsOfSettings(skills));
  return problems.length > 0 ? { problems: problems.slice(0, MOST_PROBLEMS) } : { skills };
}

function skillOf(declared: JsonObject, index: number, problems: string[]): DeclaredSkill {
  const { name, title, description, input, output, annotations = {}, tags = [], uses = {} } = declared;
  const label = typeof name === 'string' && SKILL_NAME.test(name) ? name : `skill ${index + 1}`;
  const wrong = (what: string) => void problems.push(`${label}: ${what}`);
  if (label !== name) wrong(`its name ${SKILL_NAME_RULE}`);
  for (const field of Object.keys(declared))
    if (!FIELDS.includes(field)) wrong(`it has ${quoted(field)}; a skill has ${FIELDS.join(', ')}, execute`);
  if (!isText(description, 2_048))
    wrong('its description must be a text of 1 to 2048 characters that says when to use it');
  if (title !== undefined && !isText(title, 200)) wrong('its title must be a text of at most 200 characters');
  if (!isList(tags, (tag) => isText(tag, 100))) wrong('its tags must be a list of texts');
  const hints = isObject(annotations) ? Object.entries(annotations) : [];
  if (!isObject(annotations) || !hints.every(([hint, value]) => HINTS.includes(hint) && typeof value === 'boolean'))
    wrong(`its annotations must be true or false for ${HINTS.join(', ')}`);
  return {
    name: String(name),
    title: typeof title === 'string' ? title : null,
    description: String(description),
    input: schemaOf('input', input, wrong),
    output: schemaOf('output', output, wrong),
    annotations: Object.fromEntries(hints) as Record<string, boolean>,
    tags: Array.isArray(tags) ? tags.map(String) : [],
    uses: usesIn(uses, wrong),
    settings: settingsIn(isObject(uses) ? uses['settings'] : undefined, wrong),
  };
}

function schemaOf(side: string, schema: unknown, wrong: (what: string) => void): JsonObject | null {
  if (schema === undefined) return null;
  if (!isObject(schema) || schema['type'] !== 'object')
    wrong(`its ${side} must be a JSON Schema with "type": "object"`);
  else if (JSON.stringify(schema).length > MOST_SCHEMA)
    wrong(`its ${side} schema has more than ${MOST_SCHEMA} characters`);
  else {
    const errors = problemsOfSchema(schema).filter(({ severity }) => severity === 'error');
    for (const { path, message } of errors.length > 0 ? errors : problemsOfDefaults(schema))
      wrong(`its ${side} schema${path === '' ? '' : ` at ${path}`} ${message}`);
    return schema;
  }
  return null;
}

function usesIn(uses: unknown, wrong: (what: string) => void): DeclaredUses {
  const { hosts = [], skills = [], secrets = [], databases = [], state = false } = isObject(uses) ? uses : {};
  if (!isObject(uses)) wrong('its uses must be an object');
  else
    for (const field of Object.keys(uses))
      if (!USES.includes(field)) wrong(`its uses has ${quoted(field)}; there are ${USES.join(', ')}`);
  if (typeof state !== 'boolean') wrong('its uses.state must be true or false');
  return {
    hosts: entriesOf(
      hosts,
      'hosts',
      'must be hosts, such as api.example.com or *.example.com, without scheme and path',
      wrong,
      toHostEntry,
    ),
    skills: entriesOf(skills, 'skills', SKILL_NAME_RULE, wrong, (name) => (SKILL_NAME.test(name) ? name : null)),
    secrets: entriesOf(secrets, 'secrets', SECRET_NAME_RULE, wrong, secretName),
    databases: entriesOf(databases, 'databases', SECRET_NAME_RULE, wrong, secretName),
    state: state === true,
  };
}

function entriesOf(
  given: unknown,
  list: string,
  rule: string,
  wrong: (what: string) => void,
  toEntry: (text: string) => string | null,
): string[] {
  const entries =
    Array.isArray(given) && given.length <= MOST_ENTRIES
      ? given.map((one) => (typeof one === 'string' ? toEntry(one) : null))
      : [null];
  const right = entries.filter((entry) => entry !== null);
  if (right.length < entries.length)
    wrong(`its uses.${list} must be a list of at most ${MOST_ENTRIES} texts; each ${rule}`);
  return right;
}

const secretName = (name: string) => (SECRET_NAME.test(name) ? name : null);
const quoted = (name: string): string => JSON.stringify(name.slice(0, 60));
const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most;
const isList = (value: unknown, is: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= MOST_ENTRIES && value.every(is);
