import type { ColumnTypes } from './column-types.js';

/** Workflows, their runs, and their triggers. */
export const workflowTables = ({ sequence }: ColumnTypes): string[] => [
  `create table workflows (name text primary key, version text not null, enabled integer not null,
    updated_at text not null)`,
  `create table workflow_versions (name text not null, version text not null, document text not null,
    source text not null, author text, created_at text not null, constraint workflow_versions_key primary key (name, version))`,
  `create index workflow_versions_saved on workflow_versions (name, created_at, version)`,
  `create index workflow_versions_proposed on workflow_versions (name, created_at) where source = 'assistant'`,
  `create index workflow_versions_author on workflow_versions (author, created_at) where author is not null`,
  `create table workflow_secrets (name text primary key, value text not null, hosts text, skills text,
    updated_at text not null)`,
  `create table workflow_runs (id text primary key, program text not null, name text not null, version text,
    status text not null, partition integer not null, epoch integer not null, wake_at text, parent text,
    parent_step text, root text not null, depth integer not null, origin text not null, client text not null,
    owner text not null, client_groups text not null, idempotency_key text, input text not null, entry text, output text, error text,
    is_test integer not null, questions integer not null, created_at text not null, updated_at text not null,
    ended_at text)`,
  // For the engine's polling: one partial index per kind of runnable run, because few rows match.
  `create index workflow_runs_runnable on workflow_runs (partition, created_at)
    where status in ('pending', 'running')`,
  `create index workflow_runs_due on workflow_runs (wake_at) where status = 'waiting' and wake_at is not null`,
  `create index workflow_runs_asking on workflow_runs (created_at) where questions > 0`,
  `create index workflow_runs_ended on workflow_runs (ended_at) where ended_at is not null`,
  `create unique index workflow_runs_key on workflow_runs (name, idempotency_key) where idempotency_key is not null`,
  `create index workflow_runs_created on workflow_runs (created_at, id)`,
  `create index workflow_runs_name on workflow_runs (name, created_at, id)`,
  // For checking whether a version has run.
  `create index workflow_runs_version on workflow_runs (name, version) where version is not null`,
  `create index workflow_runs_status on workflow_runs (status, created_at, id)`,
  `create index workflow_runs_client on workflow_runs (client, created_at, id)`,
  `create index workflow_runs_owner on workflow_runs (owner, created_at, id)`,
  `create index workflow_runs_parent on workflow_runs (parent)`,
  `create index workflow_runs_root on workflow_runs (root)`,
  `create table workflow_steps (run_id text not null references workflow_runs (id) on delete cascade,
    name text not null, seq integer not null, end_seq integer, task text not null, attempt integer not null,
    kind text not null, status text not null, starts integer not null, input text, output text, error text, wait text, wake_at text,
    started_at text not null, ended_at text, awakeable text,
    constraint workflow_steps_key primary key (run_id, name))`,
  // A run may have 10,000 steps, of which the last ones are read.
  `create index workflow_steps_order on workflow_steps (run_id, seq)`,
  `create index workflow_steps_asked on workflow_steps (started_at) where kind = 'question' and status = 'waiting'`,
  `create index workflow_steps_untold on workflow_steps (ended_at)
    where awakeable is not null and status = 'completed'`,
  `create index workflow_steps_looking on workflow_steps (run_id)
    where awakeable is not null and status = 'waiting' and wake_at is not null`,
  `create table workflow_events (seq ${sequence},
    run_id text not null references workflow_runs (id) on delete cascade, type text not null, event text not null,
    source_id text not null, consumed_by text, created_at text not null)`,
  // An event is delivered to a run once, however often its sender retries.
  `create unique index workflow_events_once on workflow_events (run_id, source_id)`,
  // The event types that unfinished runs listen for.
  `create table workflow_listeners (type text not null,
    run_id text not null references workflow_runs (id) on delete cascade,
    constraint workflow_listeners_key primary key (type, run_id))`,
  // Type patterns, which are compared with each event.
  `create index workflow_listeners_patterns on workflow_listeners (type) where substr(type, 1, 1) = '~'`,
  `create index workflow_listeners_run on workflow_listeners (run_id)`,
  `create table workflow_logs (seq ${sequence},
    run_id text not null references workflow_runs (id) on delete cascade, step text, level text not null,
    message text not null, logged_at text not null)`,
  `create index workflow_logs_run on workflow_logs (run_id, seq)`,
  `create table workflow_ticks (workflow text not null, tick text not null,
    constraint workflow_ticks_key primary key (workflow, tick))`,
  `create table workflow_timetables (workflow text not null, kind text not null, timetable text not null,
    done_until text not null, constraint workflow_timetables_key primary key (workflow, kind))`,
  `create table webhooks (name text primary key, event_type text not null, secret text not null,
    enabled integer not null, created_at text not null, last_received_at text)`,
  `create table webhook_messages (webhook text not null references webhooks (name) on delete cascade,
    message_id text not null, received_at text not null,
    constraint webhook_messages_key primary key (webhook, message_id))`,
  `create index webhook_messages_age on webhook_messages (received_at)`,
];
