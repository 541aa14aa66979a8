// Runs workflows of the Open Workflow DSL over durable steps. Each line is public API.
export type {
  Answer,
  BlockRef,
  BlockResult,
  CloudEvent,
  ConcurrentOutcome,
  Concurrency,
  DurableSteps,
  EffectCall,
  EventTest,
  EventWait,
  Outcome,
  Question,
  RunInfo,
  StepRef,
  StepProgress,
} from './durable-steps.js';
export { ANSWER_EVENT } from './durable-steps.js';
export { MOST_BYTES as MOST_DEFINITION_BYTES } from './definition/document-text.js';
export { diagramOf, nodeIdOf } from './definition/diagram.js';
export { differenceBefore, type Continuation } from './definition/difference.js';
export type { Inspection } from './definition/inspection.js';
export { inspectWorkflow } from './definition/inspection.js';
export type { ParseOptions } from './definition/parse-workflow.js';
export { completeInspection, parseWorkflow } from './definition/parse-workflow.js';
export type { DefinitionProblem, ParsedWorkflow } from './definition/problem.js';
export { workflowSchema } from './definition/workflow-schema.js';
export { inputOf, isStartedBy } from './event-trigger.js';
export { matchesEvent } from './event-matching.js';
export { isInputNeeded } from './function-rounds.js';
export type { Json, JsonObject } from './json.js';
export type * from './model.js';
export type { Problem } from './workflow-error.js';
export { STANDARD_ERRORS, STANDARD_STATUS, standardError, WorkflowError } from './workflow-error.js';
export type {
  Destination,
  HttpRequest,
  HttpResponse,
  InputNeeded,
  InputRound,
  RequestCall,
  Secret,
  WorkflowHost,
} from './workflow-host.js';
export { triedVariables } from './tried-variables.js';
export { durationMs } from './durations.js';
export { type InterpretOptions, interpretBlock, interpretWorkflow } from './interpret.js';
export { JqExpressions, type JqOptions } from './jq/jq-expressions.js';
export { callAsStep, interpretSkill, type SkillOptions } from './interpret-skill.js';
export { problemOf } from './workflow-error.js';
export { InMemoryRun } from './in-memory/in-memory-run.js';
export type { InMemoryOptions } from './in-memory/in-memory-store.js';
