/** What may be written at a place of a policy. */
export type CedarPlace =
  /** Between the quotes of an entity, such as `Tool::"`. */
  | { kind: 'entity'; type: string; typed: string }
  /** After a dot, such as `context.`. */
  | { kind: 'member'; of: string; typed: string }
  /** Of an annotation, after its @. */
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

/** Returns what may be written after the text of a line; null in a comment or a text. */
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

/** Returns what Cedar and the schema of the service have at a place; names of tools and the like are not among them. */
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

/** Removes the texts that end on the line; what is left of a quote or a comment stands in one that continues. */
const isInTextOrComment = (line: string): boolean => /"|\/\//.test(line.replace(/"(?:[^"\\]|\\.)*"/g, ''));
