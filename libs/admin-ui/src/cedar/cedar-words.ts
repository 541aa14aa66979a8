/** The kind of completion at a place in a policy. */
export type CedarPlace =
  /** Between the quotes of an entity, such as `Tool::"`. */
  | { kind: 'entity'; type: string; typed: string }
  /** After a dot, such as `context.`. */
  | { kind: 'member'; of: string; typed: string }
  /** The name of an annotation, after its @. */
  | { kind: 'annotation'; typed: string }
  | { kind: 'word'; typed: string };

const RESOURCE = ['name', 'kind', 'tags', 'readOnly', 'destructive', 'idempotent', 'openWorld', 'uri', 'store'];
const CONTEXT = [
  'args',
  'hour',
  'weekday',
  'program',
  'programProven',
  'programVersion',
  'protocolVersion',
  'era',
  'fromWorkflow',
  'workflow',
];
const ACTIONS = ['callTool', 'readResource', 'getPrompt'];
const ANNOTATIONS = ['description', 'advice', 'require_approval'];
const METHODS = ['contains', 'containsAll', 'containsAny', 'isEmpty'];
const WORDS = [
  ...['permit', 'forbid', 'when', 'unless', 'if', 'then', 'else', 'in', 'is', 'has', 'like', 'true', 'false'],
  ...['principal', 'action', 'resource', 'context'],
  ...['Client', 'Person', 'Group', 'Action', 'Tool', 'Resource', 'Prompt'],
];

/** Returns the kind of completion at the end of a line; null in a comment or a string. */
export function cedarPlace(line: string): CedarPlace | null {
  const entity = /([A-Za-z_]\w*)\s*::\s*"([^"\\]*)$/.exec(line);
  if (entity) return { kind: 'entity', type: entity[1] ?? '', typed: entity[2] ?? '' };
  if (isInTextOrComment(line)) return null;
  const member = /([A-Za-z_]\w*|[\])])\s*\.\s*(\w*)$/.exec(line);
  if (member) return { kind: 'member', of: member[1] ?? '', typed: member[2] ?? '' };
  const annotation = /@(\w*)$/.exec(line);
  if (annotation) return { kind: 'annotation', typed: annotation[1] ?? '' };
  return { kind: 'word', typed: /\w*$/.exec(line)?.[0] ?? '' };
}

/** Returns the words of Cedar and of the service's schema for a place, without names of tools and other entities. */
export function cedarWords(place: CedarPlace): readonly string[] {
  switch (place.kind) {
    case 'entity':
      return place.type === 'Action' ? ACTIONS : [];
    case 'member':
      if (place.of === 'resource') return RESOURCE;
      return place.of === 'context' ? CONTEXT : METHODS;
    case 'annotation':
      return ANNOTATIONS;
    case 'word':
      return WORDS;
  }
}

/** Removes complete strings from the line; any remaining quote or comment start is still open. */
const isInTextOrComment = (line: string): boolean => /"|\/\//.test(line.replace(/"(?:[^"\\]|\\.)*"/g, ''));
