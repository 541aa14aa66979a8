import { isObject } from '#bounded-json';
import type { JsonObject } from '#skill-kit';
import type { Frontmatter } from './package.js';
import { type LineProblem, readFields } from './frontmatter.rules.js';

/** A parsed SKILL.md (agentskills/agentskills, docs/specification.mdx). */
export interface SkillFile {
  /** null when there are errors. */
  frontmatter: Frontmatter | null;
  /** The instructions: everything after the frontmatter. */
  body: string;
  nameLine: number;
  problems: LineProblem[];
}

export const LONGEST_SKILL_FILE = 256 * 1024;
/** Limited because the YAML library blocks the thread while it parses. */
const LONGEST_FRONTMATTER = 8 * 1024;
const LONGEST_DESCRIPTION = 1_024;
const LONGEST_COMPATIBILITY = 500;
const LONGEST_LICENSE = 1_000;
/** Longer instructions belong in separate files that assistants read on demand. */
const ADVISED_LINES = 500;
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The administration uses this path for the form of a new package. */
const RESERVED_NAME = 'new';

export const isPackageName = (name: string): boolean => NAME.test(name);

/** Parses a SKILL.md. Never throws because of the text. */
export function readSkillFile(text: string): SkillFile {
  const { yaml, body, problem } = partsOf(text.replace(/^\uFEFF/, ''));
  if (yaml === null)
    return { frontmatter: null, body: '', nameLine: 1, problems: [{ severity: 'error', line: 1, message: problem }] };
  const { fields, lines, problems } = readFields(yaml, 2);
  const nameLine = lines.get('name') ?? 1;
  if (!fields) return { frontmatter: null, body, nameLine, problems };
  const found = [...problemsOf(fields), ...warningsOf(fields)].map(({ field, severity, message }) => ({
    severity,
    line: lines.get(field) ?? 1,
    message,
  }));
  const bodyLine = yaml.split('\n').length + 2;
  if (body.trim() === '')
    found.push({ severity: 'warning', line: bodyLine, message: 'there are no instructions after the frontmatter' });
  const lineCount = body.split('\n').length;
  if (lineCount > ADVISED_LINES) {
    const message = `the instructions have ${lineCount} lines: move parts that are not always needed to files under references/`;
    found.push({ severity: 'warning', line: bodyLine + ADVISED_LINES, message });
  }
  const isRight = found.every(({ severity }) => severity !== 'error');
  return { frontmatter: isRight ? (fields as Frontmatter) : null, body, nameLine, problems: found };
}

/** Returns the name in a SKILL.md, even if the rest is invalid; null = none. */
export const nameIn = (text: string): string | null =>
  /^name:[ \t]*["']?([a-z0-9-]{1,64})["']?[ \t]*\r?$/m.exec(text.slice(0, LONGEST_FRONTMATTER))?.[1] ?? null;

export const instructionsIn = (text: string): string => partsOf(text.replace(/^\uFEFF/, '')).body;

function partsOf(text: string): { yaml: string | null; body: string; problem: string } {
  const nothing = { yaml: null, body: '' };
  if (!/^---[ \t]*\r?\n/.test(text)) {
    const problem = 'the file must begin with a line "---", then the fields name and description, then another "---"';
    return { ...nothing, problem };
  }
  const start = text.indexOf('\n') + 1;
  const end = /^---[ \t]*\r?$/m.exec(text.slice(start, start + LONGEST_FRONTMATTER));
  if (end)
    return {
      yaml: text.slice(start, start + end.index),
      body: text.slice(start + end.index + end[0].length).replace(/^\r?\n/, ''),
      problem: '',
    };
  return text.length - start > LONGEST_FRONTMATTER
    ? {
        ...nothing,
        problem: `the frontmatter is longer than ${LONGEST_FRONTMATTER / 1024} KB, or its end "---" is missing`,
      }
    : { ...nothing, problem: 'the frontmatter has no end: put a line "---" after its last field' };
}

interface FieldProblem {
  severity: LineProblem['severity'];
  field: string;
  message: string;
}

const error = (field: string, message: string): FieldProblem => ({ severity: 'error', field, message });
const warning = (field: string, message: string): FieldProblem => ({ severity: 'warning', field, message });

/** A field without a value, such as `license:`, counts as missing. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function problemsOf({ name, description, license, compatibility, metadata }: JsonObject): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (typeof name !== 'string' || name === '')
    problems.push(error('name', 'name is missing: write "name: " and the name of the folder'));
  else if (!isPackageName(name)) {
    const rule = '1 to 64 lower-case letters a-z, digits, and single hyphens between them';
    problems.push(error('name', `name must have ${rule}, such as release-notes`));
  } else if (name === RESERVED_NAME)
    problems.push(error('name', `the name "${RESERVED_NAME}" is reserved: choose another name, such as release-notes`));
  if (typeof description !== 'string' || description.trim() === '')
    problems.push(error('description', 'description is missing: say what the skill does and when to use it'));
  else if (lengthOf(description) > LONGEST_DESCRIPTION) {
    const length = `${lengthOf(description)} characters, the limit is ${LONGEST_DESCRIPTION}`;
    problems.push(error('description', `description is too long: ${length}`));
  }
  if (isGiven(license) && (typeof license !== 'string' || license.length > LONGEST_LICENSE))
    problems.push(error('license', 'license must be the name of a license, or of its file in the package'));
  if (isGiven(compatibility)) {
    if (typeof compatibility !== 'string' || compatibility === '' || lengthOf(compatibility) > LONGEST_COMPATIBILITY)
      problems.push(error('compatibility', `compatibility must be a text of 1 to ${LONGEST_COMPATIBILITY} characters`));
  }
  if (isGiven(metadata) && (typeof metadata !== 'object' || Array.isArray(metadata)))
    problems.push(error('metadata', 'metadata must be fields with texts, each on a line of its own, indented'));
  return [...problems, ...argumentProblems(metadataOf({ metadata }))];
}

function warningsOf(fields: JsonObject): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const tools = fields['allowed-tools'];
  if (isGiven(tools) && typeof tools !== 'string')
    problems.push(warning('allowed-tools', 'allowed-tools should be one text, the names with spaces between them'));
  const others = Object.entries(metadataOf(fields)).filter(([, value]) => typeof value !== 'string');
  for (const [key] of others.slice(0, 5))
    problems.push(warning('metadata', `metadata.${key.slice(0, 100)} should be a text: put it in quotes`));
  return problems;
}

const lengthOf = (text: string): number => [...text].length;

const metadataOf = ({ metadata }: JsonObject): JsonObject => (isObject(metadata) ? metadata : {});

/** The metadata of a package that the service uses. */
export interface PackageFacts {
  /** From `tags: "release, git"`. */
  tags: string[];
  /** From `arguments: "topic, audience?"`; a question mark makes it optional. */
  arguments: { name: string; required: boolean }[];
}

const MOST_ARGUMENTS = 10;
const MOST_TAGS = 50;
const LONGEST_TAG = 64;
const ARGUMENT = /^[a-z][a-z0-9_-]{0,39}\??$/i;

/** Returns the service's metadata from a valid frontmatter. */
export function factsOf(frontmatter: JsonObject): PackageFacts {
  const { tags, arguments: args } = metadataOf(frontmatter);
  return {
    tags: [...new Set(partsOfList(tags))].filter((tag) => tag.length <= LONGEST_TAG).slice(0, MOST_TAGS),
    arguments: partsOfList(args).map((one) => ({ name: one.replace('?', ''), required: !one.endsWith('?') })),
  };
}

function argumentProblems(metadata: JsonObject): FieldProblem[] {
  const names = partsOfList(metadata['arguments']);
  if (names.length > MOST_ARGUMENTS)
    return [error('metadata', `metadata.arguments has more than ${MOST_ARGUMENTS} names`)];
  const wrong = names.find((name) => !ARGUMENT.test(name));
  if (wrong !== undefined) {
    const form = 'names of letters, digits, _ and - with commas between them, such as "topic, audience?"';
    return [error('metadata', `metadata.arguments has "${wrong.slice(0, 100)}": it takes ${form}`)];
  }
  const bare = names.map((name) => name.replace('?', ''));
  return new Set(bare).size < bare.length ? [error('metadata', 'metadata.arguments has a name twice')] : [];
}

const partsOfList = (value: unknown): string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : [];
