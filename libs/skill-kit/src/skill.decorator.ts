import 'reflect-metadata';
import type { FollowRun, InputRequired, JsonObject, SkillResult } from './skill-result.js';
import type { SkillContext } from './skill-context.js';

/** Hints to the assistant about what a call does (specification 2026-07-28, ToolAnnotations). */
export interface SkillAnnotations {
  /** The call changes nothing. */
  readOnlyHint?: boolean;
  /** The call may overwrite or delete something; matters only when readOnlyHint is false. */
  destructiveHint?: boolean;
  /** Repeating the same call has no further effect. */
  idempotentHint?: boolean;
  /** The call reaches systems outside this service. */
  openWorldHint?: boolean;
}

export type DtoClass = new () => object;

/** The source of a skill. */
export type SkillKind = 'code' | 'workflow' | 'module';

export interface SkillOptions {
  /** Unique; matches `^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`. Some clients refuse more than 40 characters. */
  name: string;
  /** Name shown to people. */
  title?: string;
  /** The first sentence says when to use the skill. At most 2 KB, because some clients cut longer ones. */
  description: string;
  /** class-validator class of the arguments, or a JSON Schema of type object. Default: no arguments. */
  input?: DtoClass | JsonObject;
  /** class-validator class of the structured result, or a JSON Schema of type object. */
  output?: DtoClass | JsonObject;
  annotations?: SkillAnnotations;
  /** Default: code. */
  kind?: SkillKind;
  /** Labels with which policies refer to several skills. */
  tags?: readonly string[];
  /** `_meta` of the tool, for clients with protocol extensions. */
  meta?: JsonObject;
  /**
   * Makes each call a durable run, which has no time limit and continues when its caller disconnects. If its process dies, the
   * skill is executed again from the start. `'required'`: only callers that can follow tasks may call it.
   */
  long?: boolean | 'required';
  /** Each call starts a run: in a step of another run, the call takes as long as the started run. Default: false. */
  startsRun?: boolean;
  /** Offers the skill to workflow steps, and to administrators who try it out, but to no client. Default: false. */
  stepsOnly?: boolean;
}

/** What a skill returns: a string becomes a text; an object becomes structured content, with its JSON as text. */
export type SkillOutput = string | SkillResult | InputRequired | FollowRun | object;

/** Implemented by classes decorated with `@Skill`. */
export interface SkillHandler<Input = never> {
  execute(input: Input, context: SkillContext): SkillOutput | Promise<SkillOutput>;
}

const SKILL_OPTIONS = Symbol('skill-kit:options');

/** Declares a class as a skill, which is offered as a tool of the MCP endpoint. */
export const Skill =
  (options: SkillOptions): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(SKILL_OPTIONS, options, target);

/** Returns the options given to `@Skill`. @throws TypeError when the handler's class is not decorated */
export function skillOptionsOf(handler: SkillHandler): SkillOptions {
  const options = Reflect.getMetadata(SKILL_OPTIONS, handler.constructor) as SkillOptions | undefined;
  if (!options)
    throw new TypeError(`${handler.constructor.name} is not decorated with @Skill({ name, description, ... })`);
  return options;
}
