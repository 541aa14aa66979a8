import type { Json, JsonObject } from './json.js';

/**
 * A workflow as written in its document, once `parseWorkflow` has found no errors (Open Workflow DSL reference, 1.0.0 to 1.0.3).
 * These types omit the parts of the DSL that this implementation refuses.
 */
export interface WorkflowDefinition {
  document: DocumentHead;
  input?: InputModel;
  output?: OutputModel;
  use?: Components;
  timeout?: Timeout | string; // a string names one of use.timeouts
  schedule?: Schedule;
  do: TaskList;
  evaluate?: { language?: 'jq'; mode?: 'strict' | 'loose' };
}

export interface DocumentHead {
  dsl: string;
  namespace: string;
  name: string;
  version: string;
  title?: string;
  summary?: string;
  tags?: JsonObject;
  metadata?: JsonObject;
}

export interface Components {
  authentications?: Record<string, Authentication>;
  errors?: Record<string, ErrorModel>;
  functions?: Record<string, Task>;
  retries?: Record<string, RetryPolicy>;
  secrets?: string[];
  timeouts?: Record<string, Timeout>;
}

/** Tasks in execution order; each entry has one property, the name of the task. */
export type TaskList = Record<string, Task>[];

export interface TaskBase {
  if?: string;
  input?: InputModel;
  output?: OutputModel;
  export?: ExportModel;
  timeout?: Timeout | string;
  /** `continue`, `exit`, `end`, or the name of a task of the same list. */
  then?: string;
  metadata?: JsonObject;
}

export interface CallTask extends TaskBase {
  /** `http`, the name of one of use.functions, or of a function that the host provides. */
  call: string;
  with?: JsonObject;
}
export interface DoTask extends TaskBase {
  do: TaskList;
}
export interface EmitTask extends TaskBase {
  emit: { event: { with: EventAttributes } };
}
export interface ForTask extends TaskBase {
  for: { each?: string; in: string | Json[]; at?: string };
  while?: string;
  do: TaskList;
}
export interface ForkTask extends TaskBase {
  fork: { branches: TaskList; compete?: boolean };
}
export interface ListenTask extends TaskBase {
  listen: { to: { one: { with: EventAttributes } }; read?: 'data' | 'envelope' | 'raw' };
}
export interface RaiseTask extends TaskBase {
  raise: { error: ErrorModel | string };
}
export interface RunTask extends TaskBase {
  run: { workflow: SubflowCall; await?: boolean };
}
export interface SetTask extends TaskBase {
  set: JsonObject | string;
}
export interface SwitchTask extends TaskBase {
  switch: Record<string, { when?: string; then: string }>[];
}
export interface TryTask extends TaskBase {
  try: TaskList;
  catch: CatchModel;
}
export interface WaitTask extends TaskBase {
  /** How long, or until when: RFC 3339, which is not part of the DSL. */
  wait: Duration | { until: string };
}

export type Task =
  | CallTask
  | DoTask
  | EmitTask
  | ForTask
  | ForkTask
  | ListenTask
  | RaiseTask
  | RunTask
  | SetTask
  | SwitchTask
  | TryTask
  | WaitTask;

export interface SubflowCall {
  namespace: string;
  name: string;
  /** A version, or `latest`. */
  version?: string;
  input?: Json;
}

export interface CatchModel {
  errors?: { with?: Partial<ErrorModel> };
  as?: string;
  when?: string;
  exceptWhen?: string;
  retry?: RetryPolicy | string;
  do?: TaskList;
  then?: string;
}

export interface RetryPolicy {
  when?: string;
  exceptWhen?: string;
  delay?: Duration;
  backoff?: { constant?: JsonObject; exponential?: JsonObject; linear?: JsonObject };
  limit?: { attempt?: { count?: number }; duration?: Duration };
  jitter?: { from: Duration; to: Duration };
}

/** RFC 7807, in the DSL's form; text may be a runtime expression. */
export interface ErrorModel {
  type: string;
  status: number | string;
  title?: string;
  detail?: string;
  instance?: string;
}

export interface InputModel {
  schema?: SchemaModel;
  from?: string | Json;
}
export interface OutputModel {
  schema?: SchemaModel;
  as?: string | Json;
}
export interface ExportModel {
  schema?: SchemaModel;
  as?: string | Json;
}
export interface SchemaModel {
  format?: string;
  document: JsonObject;
}

export interface Timeout {
  after: Duration;
}

/** ISO 8601 text, or parts that are added up. Text may be a runtime expression where the DSL allows it. */
export type Duration =
  string | { days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number };

export interface Schedule {
  every?: Duration;
  cron?: string;
  after?: Duration;
  on?: { one: { with: EventAttributes } };
  read?: 'data' | 'envelope' | 'raw';
}

/** Attributes of a CloudEvent: those of an emitted event, or a filter for events. */
export interface EventAttributes {
  id?: string;
  source?: string;
  type?: string;
  time?: string;
  subject?: string;
  datacontenttype?: string;
  dataschema?: string;
  data?: Json;
  [extension: string]: Json | undefined;
}

export type Authentication = { basic: BasicAuthentication } | { bearer: BearerAuthentication };
/** `use` names a secret that holds the members. */
export type BasicAuthentication = { username: string; password: string } | { use: string };
export type BearerAuthentication = { token: string } | { use: string };
