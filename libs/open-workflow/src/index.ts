// What runs workflows of the Open Workflow DSL over durable steps. Each line is public API.
export type {
  Answer,
  BlockRef,
  BlockResult,
  CloudEvent,
  ConcurrentOutcome,
  Concurrency,
  DurableSteps,
  EffectCall,
  EventWait,
  Outcome,
  Question,
  RunInfo,
  StepRef,
} from './durable-steps.js';
export { ANSWER_EVENT } from './durable-steps.js';
export { matchesEvent } from './event-matching.js';
export type { Json, JsonObject } from './json.js';
export type * from './model.js';
export type { Problem } from './workflow-error.js';
export { STANDARD_ERRORS, STANDARD_STATUS, standardError, WorkflowError } from './workflow-error.js';
export type { HttpRequest, HttpResponse, InputNeeded, InputRound, WorkflowHost } from './workflow-host.js';
