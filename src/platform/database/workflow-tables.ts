import type { Generated } from 'kysely';

export interface WorkflowTable {
  name: string;
  version: string; // the current version, which calls and schedules start
  enabled: number;
  updated_at: string;
}

/** The text of a version never changes once it has run. */
export interface WorkflowVersionTable {
  name: string;
  version: string;
  document: string; // YAML
  source: string; // file | admin | assistant
  author: string | null; // the client that proposed it, as an owner
  created_at: string;
}

/** The runs and their state: the engine has no other. */
export interface WorkflowRunTable {
  id: string;
  program: string; // workflow | skill: the kind of `name`
  name: string;
  version: string | null; // null for skills
  status: string;
  partition: number; // 0 to 31; a replica executes the runs of the partitions that it owns; -1 = executed on Restate
  epoch: number; // number of the execution; only the latest may write
  wake_at: string | null; // when a waiting run continues; null = with an event, or the end of a child
  parent: string | null;
  parent_step: string | null;
  root: string; // the topmost ancestor
  depth: number; // number of parents
  origin: string; // call | schedule | event | admin | parent | repeat
  client: string; // its name
  owner: string; // the run's owner key: a client recreated under the same name has another one
  client_groups: string; // JSON
  idempotency_key: string | null;
  input: string; // JSON
  entry: string | null; // JSON of the block to execute; null = the whole workflow
  output: string | null; // JSON
  error: string | null; // JSON, RFC 7807
  is_test: number;
  questions: number; // number of open questions to people
  created_at: string;
  updated_at: string;
  ended_at: string | null;
}

export interface WorkflowStepTable {
  run_id: string;
  name: string;
  seq: number; // order in which the steps of the run started: clocks may be set back
  end_seq: number | null; // steps before it had started when the blocks within ended; null = no blocks, or not ended
  task: string;
  attempt: number;
  kind: string; // effect | sleep | event | question | child | concurrent | input
  status: string; // started | waiting | completed | failed | cancelled
  starts: number; // number of attempts to execute the step
  input: string | null; // JSON
  output: string | null; // JSON
  error: string | null; // JSON, RFC 7807
  wait: string | null; // JSON: the wait's condition
  wake_at: string | null;
  started_at: string;
  ended_at: string | null;
  awakeable: string | null; // the Restate awakeable to resolve when the step gets its event; null = none, or resolved
}

/** Events that runs have consumed, or may consume once they wait for them. */
export interface WorkflowEventTable {
  seq: Generated<number>;
  run_id: string;
  type: string;
  event: string; // JSON, CloudEvents
  source_id: string; // source and id of the event, the same for each redelivery
  consumed_by: string | null; // name of the consuming step
  created_at: string;
}

export interface WorkflowListenerTable {
  type: string; // `*` = any; with the prefix `~`, a regular expression
  run_id: string;
}

export interface WorkflowLogTable {
  seq: Generated<number>;
  run_id: string;
  step: string | null;
  level: string;
  message: string;
  logged_at: string;
}

export interface WorkflowTimetableTable {
  workflow: string;
  kind: string;
  /** JSON. */
  timetable: string;
  /** Everything due up to this time was started, or skipped. */
  done_until: string;
}

export interface WorkflowTickTable {
  workflow: string;
  tick: string;
}

export interface WebhookTable {
  name: string;
  event_type: string;
  secret: string; // sealed
  enabled: number;
  created_at: string;
  last_received_at: string | null;
}

/** Recently received messages, for deduplication. */
export interface WebhookMessageTable {
  webhook: string;
  message_id: string;
  received_at: string;
}

/** Secrets that workflows may use by name. */
export interface WorkflowSecretTable {
  name: string;
  value: string; // sealed
  hosts: string | null; // JSON list; null = any
  skills: string | null; // JSON list; null = any
  updated_at: string;
}
