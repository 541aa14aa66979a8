import { isObject } from '#bounded-json';
/** A JSON Schema of the arguments of a tool, or a part of it. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** A type of Cedar's schema language, in its JSON format. */
type CedarType =
  | { type: 'String' | 'Long' | 'Boolean' }
  | { type: 'Extension'; name: 'decimal' }
  | { type: 'Set'; element: CedarType }
  | { type: 'Record'; attributes: Record<string, CedarAttribute> };

type CedarAttribute = CedarType & { required?: boolean };

const DEEPEST = 8;
const MOST_ATTRIBUTES = 500;

const TEXT = { type: 'String' } as const;
const FLAG = { type: 'Boolean' } as const;
const WHOLE = { type: 'Long' } as const;

const CONTEXT: Record<string, CedarAttribute> = {
  program: TEXT,
  programProven: FLAG,
  programVersion: TEXT,
  protocolVersion: TEXT,
  era: TEXT,
  hour: WHOLE,
  weekday: TEXT,
  fromWorkflow: FLAG,
  workflow: TEXT,
};

const TAGS: CedarAttribute = { type: 'Set', element: TEXT };

const TOOL: Record<string, CedarAttribute> = {
  name: TEXT,
  kind: TEXT,
  tags: TAGS,
  readOnly: FLAG,
  destructive: FLAG,
  idempotent: FLAG,
  openWorld: FLAG,
};

/**
 * Returns the Cedar schema for validating a policy, in its JSON format.
 * @param inputSchema of the one tool that the policy is about; null when it covers other tools, too, so it cannot read
 *   arguments
 */
export function cedarSchemaOf(inputSchema: JsonSchema | null): object {
  const entity = (attributes: Record<string, CedarAttribute>) => ({ shape: { type: 'Record', attributes } });
  const action = (resourceType: string, context: Record<string, CedarAttribute>) => ({
    appliesTo: {
      principalTypes: ['Client', 'Person'],
      resourceTypes: [resourceType],
      context: { type: 'Record', attributes: context },
    },
  });
  const args = inputSchema && recordOf(inputSchema, { left: MOST_ATTRIBUTES }, 0);
  return {
    '': {
      entityTypes: {
        Group: {},
        Client: { memberOfTypes: ['Group'], ...entity({ name: TEXT }) },
        Person: { memberOfTypes: ['Group'], ...entity({ name: TEXT }) },
        Tool: entity(TOOL),
        Resource: entity({ uri: TEXT, store: TEXT, tags: TAGS }),
        Prompt: entity({ name: TEXT }),
      },
      actions: {
        callTool: action('Tool', args ? { ...CONTEXT, args } : CONTEXT),
        readResource: action('Resource', CONTEXT),
        getPrompt: action('Prompt', CONTEXT),
      },
    },
  };
}

interface Budget {
  left: number;
}

/** Returns the attributes of an object that policies can read: those whose schema has a single type. */
function recordOf(
  schema: JsonSchema,
  budget: Budget,
  depth: number,
): { type: 'Record'; attributes: Record<string, CedarAttribute> } {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const attributes: [string, CedarAttribute][] = [];
  for (const [name, property] of Object.entries(objectOf(schema['properties']))) {
    if ((budget.left -= 1) < 0) break;
    const type = typeOf(objectOf(property), budget, depth + 1);
    if (type) attributes.push([name, { ...type, required: required.has(name) && !isNullable(objectOf(property)) }]);
  }
  return { type: 'Record', attributes: Object.fromEntries(attributes) };
}

function typeOf(schema: JsonSchema, budget: Budget, depth: number): CedarType | null {
  if (depth > DEEPEST) return null;
  switch (typeNameOf(schema)) {
    case 'string':
      return TEXT;
    case 'boolean':
      return FLAG;
    case 'integer':
      return WHOLE;
    case 'number':
      return { type: 'Extension', name: 'decimal' };
    case 'object':
      return recordOf(schema, budget, depth);
    case 'array': {
      const element = typeOf(objectOf(schema['items']), budget, depth + 1);
      return element && { type: 'Set', element };
    }
    default:
      return null;
  }
}

/** Returns the single type of all non-null values; undefined when there are several. */
function typeNameOf({ type, enum: values }: JsonSchema): unknown {
  if (Array.isArray(type)) {
    const others = type.filter((name) => name !== 'null');
    return others.length === 1 ? others[0] : undefined;
  }
  if (type !== undefined || !Array.isArray(values)) return type;
  return values.every((value) => typeof value === 'string') ? 'string' : undefined;
}

const isNullable = ({ type }: JsonSchema): boolean => Array.isArray(type) && type.includes('null');

const objectOf = (value: unknown): JsonSchema => (isObject(value) ? value : {});
