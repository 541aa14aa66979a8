import type { JsonObject } from '../json.js';
import type { Format } from './formats.js';
import type { ChoiceShape, DataShape, IntegerShape, MapShape, ObjectShape, Shape, TextShape } from './shape.js';
import { shapeOfTask, taskShapes } from './shapes/tasks.shape.js';
import { WORKFLOW } from './shapes/workflow.shape.js';

const TASK = { $ref: '#/$defs/task' };
const TASKS = { $ref: '#/$defs/tasks' };
const EXPRESSION_PATTERN = String.raw`^\s*\$\{[\s\S]*\}\s*$`;

/** A function that `call` may name. */
export interface CallableFunction {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

/**
 * Returns the JSON Schema (2020-12) of accepted workflows, for completion and help in editors. It is generated from the
 * declarations that check documents, which can express more.
 * @param functions included one by one
 */
export function workflowSchema(functions: readonly CallableFunction[] = []): JsonObject {
  const kinds = taskShapes().map(([title, shape]) => ({ title, ...objectSchema(shape), description: shape.about }));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Workflow',
    ...objectSchema(WORKFLOW),
    $defs: {
      task: { description: 'A task.', anyOf: [...kinds, ...functions.map(callSchema)] },
      tasks: { type: 'array', items: namedEntry(TASK) },
    },
  };
}

function callSchema({ name, description, inputSchema }: CallableFunction): JsonObject {
  const schema = objectSchema(shapeOfTask('call', name));
  const input = { description: 'The arguments.', ...inputSchema, $id: `urn:function:${name}` };
  const properties = { ...(schema['properties'] as JsonObject), call: { const: name, description }, with: input };
  const needsInput = Array.isArray(inputSchema['required']) && inputSchema['required'].length > 0;
  return { title: `call ${name}`, ...schema, properties, required: needsInput ? ['call', 'with'] : ['call'] };
}

function schemaOf(shape: Shape): JsonObject {
  const description = 'about' in shape && shape.about !== undefined ? { description: shape.about } : {};
  return { ...description, ...rulesOf(shape) };
}

function rulesOf(shape: Shape): JsonObject {
  switch (shape.type) {
    case 'text':
      return textSchema(shape);
    case 'integer':
      return integerSchema(shape);
    case 'boolean':
      return { type: 'boolean' };
    case 'data':
      return dataSchema(shape);
    case 'schema':
      return { type: 'object' };
    case 'list':
      return { type: 'array', items: schemaOf(shape.items), ...(shape.least && { minItems: shape.least }) };
    case 'map':
      return mapSchema(shape);
    case 'object':
      return objectSchema(shape);
    case 'choice':
      return choiceSchema(shape);
    case 'task':
      return TASK;
    case 'tasks':
      return shape.least > 0 ? { ...TASKS, minItems: shape.least } : TASKS;
    case 'cases':
      return { type: 'array', minItems: 1, items: namedEntry(schemaOf(shape.values)) };
  }
}

function textSchema({ choices, format, expression, most }: TextShape): JsonObject {
  if (choices) return { type: 'string', enum: [...choices] };
  const examples = format?.examples && { examples: format.examples };
  const pattern = patternOf(format, expression !== undefined);
  return { type: 'string', ...(pattern && { pattern }), ...(most !== undefined && { maxLength: most }), ...examples };
}

function patternOf(format: Format | undefined, mayBeExpression: boolean): string | undefined {
  if (format?.pattern === undefined) return undefined;
  return mayBeExpression ? `(?:${format.pattern})|(?:${EXPRESSION_PATTERN})` : format.pattern;
}

function integerSchema({ least, most, expression }: IntegerShape): JsonObject {
  const number = { type: 'integer', minimum: least, maximum: most };
  return expression ? { anyOf: [number, { type: 'string', pattern: EXPRESSION_PATTERN }] } : number;
}

const dataSchema = ({ only }: DataShape): JsonObject => (only === 'object' ? { type: 'object' } : {});

function mapSchema({ values, names }: MapShape): JsonObject {
  const pattern = names?.pattern;
  return {
    type: 'object',
    additionalProperties: schemaOf(values),
    ...(pattern !== undefined && { propertyNames: { pattern } }),
  };
}

function objectSchema(shape: ObjectShape): JsonObject {
  const { properties, required, exactlyOne, atLeastOne, others } = shape;
  const alternatives = (names: readonly string[]) => names.map((name) => ({ required: [name] }));
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, schemaOf(one)])),
    ...(required && required.length > 0 && { required: [...required] }),
    ...(exactlyOne && { oneOf: alternatives(exactlyOne) }),
    ...(atLeastOne && { anyOf: alternatives(atLeastOne) }),
    additionalProperties: others ? schemaOf(others.values) : false,
  };
}

function choiceSchema(shape: ChoiceShape): JsonObject {
  const choices = [shape.text, shape.integer, shape.object, shape.list].filter((choice) => choice !== undefined);
  return { anyOf: choices.map(schemaOf) };
}

const namedEntry = (entry: JsonObject): JsonObject => ({
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: entry,
});
