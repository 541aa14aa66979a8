import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { withDefaults } from '#json-schema';
import { copyJson, withEveryMember, withoutInheritedNames } from './copy-json.js';
import type { JsonObject } from './skill-result.js';
import {
  compileLater,
  compileSchema,
  compileUnguarded,
  hasRulesBeyondSchema,
  MOST_PROBLEMS,
  schemaOfClass,
  type SchemaCheck,
  shortened,
} from './json-schema.js';
import { lenientArguments } from './lenient-arguments.js';
import type { SkillContext } from './skill-context.js';
import {
  type DtoClass,
  type SkillAnnotations,
  type SkillHandler,
  type SkillKind,
  type SkillOptions,
  skillOptionsOf,
  type SkillOutput,
} from './skill.decorator.js';

/** Arguments in the handler's form, or their problems, one line each. */
export type Parsed = { input: object } | { problems: string[] };

/** A validated skill, ready for execution. */
export interface SkillDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: SkillAnnotations;
  readonly meta?: JsonObject;
  readonly kind: SkillKind;
  /** Labels with which policies refer to several skills. */
  readonly tags: readonly string[];
  /** True when each call is a durable run; `'required'`: and callers must be able to follow tasks. Absent = no. */
  readonly long?: boolean | 'required';
  /** True when a call in a step of a run takes as long as the run that it starts. Absent = no. */
  readonly startsRun?: boolean;
  /** True when only steps of workflows may call it. Absent = no. */
  readonly stepsOnly?: boolean;
  /**
   * Validates arguments and fills in defaults; treats null as absent for an optional property, and "5" as 5. Null = this could
   * block the thread; then run `parseBySchema` in another one.
   */
  parse(args: JsonObject): Parsed | null;
  /**
   * Returns the violations of `outputSchema` by a structured result, one line per problem; empty when it is valid. Null = this
   * could block the thread; then run `problemsBySchema` in another one.
   */
  outputProblems(structured: unknown): string[] | null;
  execute(input: object, context: SkillContext): SkillOutput | Promise<SkillOutput>;
}

/** Thrown when a skill can't be offered as a tool, because its name or a schema is invalid. */
export class InvalidSkill extends Error {}

/** Definitions made by `defineSkill`, which are therefore valid. */
const checked = new WeakSet<SkillDefinition>();

/** Checks that a definition was made by `defineSkill`, and not copied. @throws InvalidSkill */
export function assertDefined(definition: SkillDefinition): void {
  if (checked.has(definition)) return;
  throw new InvalidSkill(`the skill ${String(definition.name)} is not checked: make its definition by defineSkill`);
}

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

/** For skills that declare no input. */
const NO_INPUT: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/**
 * Reads the `@Skill` of a handler and compiles its schemas.
 * @param decided options that are known only when the skill is offered; they override `@Skill`
 * @throws InvalidSkill
 */
export function defineSkill(handler: SkillHandler, decided: Pick<SkillOptions, 'stepsOnly'> = {}): SkillDefinition {
  const options = { ...skillOptionsOf(handler), ...decided };
  const { name, title, description, input, output, annotations, long, startsRun, meta, kind, tags, stepsOnly } =
    options;
  if (!NAME.test(name)) {
    throw new InvalidSkill(
      `the skill name ${JSON.stringify(name)} must match ${NAME.source}: rename the skill in its @Skill`,
    );
  }
  const inputSchema = input ? schemaOf(name, 'input', input) : NO_INPUT;
  const outputSchema = output && schemaOf(name, 'output', output);
  const checkOutput = outputSchema && compile(name, 'output', outputSchema, isClass(output));
  const definition: SkillDefinition = {
    name,
    ...(title && { title }),
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    ...(meta && { meta }),
    kind: kind ?? 'code',
    tags: tags ?? [],
    ...(long && { long }),
    ...(startsRun && { startsRun }),
    ...(stepsOnly && { stepsOnly }),
    parse: parserOf(name, inputSchema, isClass(input) ? input : undefined),
    outputProblems: checkOutput ?? (() => []),
    execute: (parsed, context) => handler.execute(parsed as never, context),
  };
  checked.add(definition);
  return definition;
}

function schemaOf(name: string, side: string, source: DtoClass | JsonObject): JsonObject {
  const schema = isClass(source) ? schemaOfClass(source) : source;
  if (schema['type'] !== 'object')
    throw new InvalidSkill(`skill ${name}: its ${side} schema must have "type": "object"`);
  return schema;
}

function compile(name: string, side: string, schema: JsonObject, isTrusted: boolean) {
  try {
    return isTrusted ? compileLater(schema) : compileSchema(schema);
  } catch (error) {
    throw new InvalidSkill(`skill ${name}: its ${side} schema is not valid JSON Schema 2020-12: ${String(error)}`);
  }
}

function parserOf(name: string, schema: JsonObject, dto: DtoClass | undefined): SkillDefinition['parse'] {
  const check = compile(name, 'input', schema, dto !== undefined || schema === NO_INPUT);
  const checkRules = dto !== undefined && hasRulesBeyondSchema(dto);
  return (given) => {
    const fitted = dto ? fit(given, schema, check) : fitWithDefaults(given, schema, check);
    if (!fitted || 'problems' in fitted) return fitted;
    // A copy, because the caller's original is recorded.
    if (!dto) return { input: copyJson(fitted.input) };
    const made = plainToInstance(dto, withoutInheritedNames(fitted.input), { exposeDefaultValues: true });
    const input = withEveryMember(made, fitted.input);
    const problems = checkRules ? describeViolations(validateSync(input)).slice(0, MOST_PROBLEMS) : [];
    return problems.length > 0 ? { problems } : { input };
  };
}

/** Like a skill's `parse` with this input schema, however long it takes. @throws Error when the schema is not valid */
export const parseBySchema = (schema: JsonObject, args: JsonObject): Parsed | null =>
  fitWithDefaults(args, schema, compileUnguarded(schema));

type Fitted = { input: JsonObject } | { problems: string[] };

/** Returns valid arguments, with common mistakes of clients corrected. */
function fit(given: JsonObject, schema: JsonObject, check: SchemaCheck): Fitted | null {
  let args = given;
  let mismatches = check(args);
  if (mismatches !== null && mismatches.length > 0) {
    args = lenientArguments(given, schema);
    if (args !== given) mismatches = check(args);
  }
  if (mismatches === null) return null;
  return mismatches.length > 0 ? { problems: mismatches } : { input: args };
}

/** Like `fit`, with the defaults of the schema filled in; they must fit, too. */
function fitWithDefaults(given: JsonObject, schema: JsonObject, check: SchemaCheck): Fitted | null {
  const fitted = fit(given, schema, check);
  if (!fitted || 'problems' in fitted) return fitted;
  const input = withDefaults(fitted.input, schema);
  const mismatches = input === fitted.input ? [] : check(input);
  if (mismatches === null) return null;
  return mismatches.length > 0 ? { problems: mismatches } : { input };
}

function describeViolations(errors: ValidationError[], path = ''): string[] {
  return errors.flatMap((error) => [
    ...Object.values(error.constraints ?? {}).map((message) => `${path}${shortened(error.property)}: ${message}`),
    ...describeViolations(error.children ?? [], `${path}${error.property}.`),
  ]);
}

function isClass(value: DtoClass | JsonObject | undefined): value is DtoClass {
  return typeof value === 'function';
}
