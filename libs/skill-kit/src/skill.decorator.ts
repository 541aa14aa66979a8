import 'reflect-metadata';
import type { JsonObject, SkillResult } from './content.js';
import type { InputRequired } from './input-request.js';
import type { SkillContext } from './skill-context.js';

/** Hints to the assistant about what a call does (specification 2026-07-28, ToolAnnotations). */
export interface SkillAnnotations {
  /** Reads only: changes nothing. */
  readOnlyHint?: boolean;
  /** May overwrite or delete (means something only where readOnlyHint is false). */
  destructiveHint?: boolean;
  /** The same call twice has the effect of one. */
  idempotentHint?: boolean;
  /** Reaches systems outside this service. */
  openWorldHint?: boolean;
}

export type DtoClass = new () => object;

export interface SkillOptions {
  /** `^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`, unique; at most 40 characters suit every client. */
  name: string;
  /** Human-readable name. */
  title?: string;
  /** The first sentence says when to use it. At most 2 KB. */
  description: string;
  /** class-validator class of the arguments, or a JSON Schema of type object. Default: no arguments. */
  input?: DtoClass | JsonObject;
  /** class-validator class of the structured result, or a JSON Schema of type object. */
  output?: DtoClass | JsonObject;
  annotations?: SkillAnnotations;
}

/** A string becomes a text; an object becomes structured content and its JSON as text. */
export type SkillOutput = string | SkillResult | InputRequired | object;

/** What a class decorated with `@Skill` implements. */
export interface SkillHandler<Input = never> {
  execute(input: Input, context: SkillContext): SkillOutput | Promise<SkillOutput>;
}

const SKILL_OPTIONS = Symbol('skill-kit:options');

/** Declares a class as a skill: one tool of the MCP endpoint. */
export const Skill =
  (options: SkillOptions): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(SKILL_OPTIONS, options, target);

/** The options given to `@Skill`. @throws TypeError when the handler's class is not decorated. */
export function skillOptionsOf(handler: SkillHandler): SkillOptions {
  const options = Reflect.getMetadata(SKILL_OPTIONS, handler.constructor) as SkillOptions | undefined;
  if (!options)
    throw new TypeError(`${handler.constructor.name} is not decorated with @Skill({ name, description, ... })`);
  return options;
}
