// What the author of a skill imports. Each line is public API.
export type {
  Content,
  EmbeddedResourceContent,
  JsonObject,
  MediaContent,
  ResourceLinkContent,
  SkillResult,
  TextContent,
} from './content.js';
export { audio, embedded, failure, image, result, text } from './content.js';
export { type FollowRun, followRun, isFollowRun } from './follow-run.js';
export type { InputRequest, InputRequired } from './input-request.js';
export { acceptedAnswer, elicit, inputRequired, isInputRequired, listRoots, sample } from './input-request.js';
export type { SchemaCheck } from './json-schema.js';
export { compileSchema } from './json-schema.js';
export { Nested } from './nested.decorator.js';
export { ProtocolFault } from './protocol-fault.js';
export type { CallOrigin, Client, LogLevel, RunStep, SkillContext } from './skill-context.js';
export { UNKNOWN_ORIGIN } from './skill-context.js';
export type {
  DtoClass,
  SkillAnnotations,
  SkillHandler,
  SkillKind,
  SkillOptions,
  SkillOutput,
} from './skill.decorator.js';
export { Skill, skillOptionsOf } from './skill.decorator.js';
export type { SkillDefinition } from './skill-definition.js';
export { assertDefined, defineSkill, InvalidSkill } from './skill-definition.js';
