// The API for skill authors. Each line is public API.
export type {
  Content,
  EmbeddedResourceContent,
  FollowRun,
  InputRequest,
  InputRequired,
  JsonObject,
  MediaContent,
  ResourceLinkContent,
  SkillResult,
  TextContent,
} from './skill-result.js';
export { audio, embedded, failure, image, ProtocolFault, result, text } from './skill-result.js';
export { acceptedAnswer, elicit, inputRequired, isInputRequired, listRoots, sample } from './skill-result.js';
export { followRun, isFollowRun } from './skill-result.js';
export type { SchemaCheck } from './json-schema.js';
export { compileSchema, problemsBySchema } from './json-schema.js';
export { withEveryMember, withoutInheritedNames } from './copy-json.js';
export { Nested } from './nested.decorator.js';
export type { CallOrigin, Client, LogLevel, RunStep, SkillContext } from './skill-context.js';
export { DEEPEST_CALL, UNKNOWN_ORIGIN } from './skill-context.js';
export type {
  DtoClass,
  SkillAnnotations,
  SkillHandler,
  SkillKind,
  SkillOptions,
  SkillOutput,
} from './skill.decorator.js';
export { Skill, skillOptionsOf } from './skill.decorator.js';
export type { Parsed, SkillDefinition } from './skill-definition.js';
export { assertDefined, defineSkill, InvalidSkill, parseBySchema } from './skill-definition.js';
