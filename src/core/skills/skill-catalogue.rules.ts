import { isObject } from '#bounded-json';
import type { JsonObject, SkillDefinition } from '#skill-kit';

const LONGEST_NAME = 40;
const LONGEST_DESCRIPTION_BYTES = 2048;
const MOST_ENABLED_SKILLS = 40;
const COMBINATORS = ['anyOf', 'oneOf', 'allOf'];
const HEADER_MARK = 'x-mcp-header';
/** The name of a header (RFC 9110, section 5.1). */
const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/;
const HEADER_TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

type Checked = Pick<SkillDefinition, 'name' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'>;

/** Returns warnings about a skill's properties that some MCP clients can't handle, with advice. */
export function skillWarnings(skill: Checked): string[] {
  return [
    ...nameWarnings(skill.name),
    ...descriptionWarnings(skill.description),
    ...schemaWarnings('input', skill.inputSchema),
    ...headerWarnings(skill.inputSchema),
    ...(skill.outputSchema ? schemaWarnings('output', skill.outputSchema) : []),
    ...annotationWarnings(skill.annotations),
  ];
}

/** Returns the same kind of warnings about the catalogue as a whole. */
export function catalogueWarnings(enabledSkills: number): string[] {
  if (enabledSkills <= MOST_ENABLED_SKILLS) return [];
  return [
    `${enabledSkills} skills are enabled, and some clients accept at most ${MOST_ENABLED_SKILLS} tools: disable those that nobody uses`,
  ];
}

function nameWarnings(name: string): string[] {
  if (name.length <= LONGEST_NAME) return [];
  return [`the name has ${name.length} characters, and some clients refuse more than ${LONGEST_NAME}: shorten it`];
}

function descriptionWarnings(description: string): string[] {
  if (description.trim() === '') return ['the description is missing: say when to use it in the first sentence'];
  const bytes = Buffer.byteLength(description);
  if (bytes <= LONGEST_DESCRIPTION_BYTES) return [];
  return [`the description has ${bytes} bytes, and some clients cut it at ${LONGEST_DESCRIPTION_BYTES}: shorten it`];
}

function schemaWarnings(side: 'input' | 'output', schema: JsonObject): string[] {
  const warnings: string[] = [];
  if (!('properties' in schema)) warnings.push(`the ${side} schema has no "properties": add them, even if only {}`);
  const combinators = COMBINATORS.filter((keyword) => keyword in schema);
  if (combinators.length > 0) {
    warnings.push(
      `the ${side} schema has ${combinators.join(', ')} at its root, which some clients refuse: use properties`,
    );
  }
  if (hasReference(schema))
    warnings.push(`the ${side} schema uses $ref, which some clients don't follow: write it in place`);
  if (typeof schema['$schema'] === 'string' && schema['$schema'].includes('draft-07')) {
    warnings.push(`the ${side} schema declares draft-07, which some clients refuse: remove "$schema" or use 2020-12`);
  }
  return warnings;
}

/** Specification 2026-07-28, streamable-http, "Custom Headers from Tool Parameters": clients leave out a tool that breaks these rules. */
function headerWarnings(schema: JsonObject): string[] {
  if (new Set(headersIn(schema)).size === marksIn(schema)) return [];
  return [
    'the input schema has an "x-mcp-header" that clients do not accept, so they leave out the tool: give each a header name of ' +
      'its own, on a property of the type string, integer or boolean',
  ];
}

/** Returns the header names that a schema gives to its properties in a valid way, in lower case. */
function headersIn(schema: unknown): string[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? Object.values(schema['properties']) : [];
  return properties.filter(isObject).flatMap((property) => {
    const { [HEADER_MARK]: name, type } = property;
    const isValid = typeof name === 'string' && HEADER_NAME.test(name) && HEADER_TYPES.includes(type);
    return [...(isValid ? [name.toLowerCase()] : []), ...headersIn(property)];
  });
}

/** Returns how often a header is declared, anywhere. A property with the name of the mark has a schema as its value. */
function marksIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = HEADER_MARK in value && !isObject(value[HEADER_MARK]) ? 1 : 0;
  return Object.values(value).reduce<number>((sum, child) => sum + marksIn(child), own);
}

function annotationWarnings(annotations: Checked['annotations']): string[] {
  if (annotations && Object.keys(annotations).length > 0) return [];
  return ['there are no annotations, so clients ask before each call: set readOnlyHint, destructiveHint and the like'];
}

// The value of a real $ref is a string; a property named $ref has a schema as its value.
function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, child]) => (key === '$ref' && typeof child === 'string') || hasReference(child),
  );
}
