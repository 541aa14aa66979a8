// Runs third-party modules in a separate process. Each line is public API.
export type {
  FoundRows,
  ModuleContext,
  ModuleSetting,
  ModuleSkill,
  ModuleUses,
  ObjectSchema,
  Question,
} from './kit.js';
export type {
  HostLimits,
  LogLevel,
  ModuleCode,
  ModuleFiles,
  ModuleReply,
  ModuleRequest,
  OpenedModule,
  Progress,
} from './protocol.js';
export { type CallHandlers, ModuleFailed, ModuleInterrupted } from './module-thread.js';
export { type ModuleCall, SkillHost } from './skill-host.js';
