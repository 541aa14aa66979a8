import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addSequenceKey, dialectOf } from '../../sql/dialect.js';

export const workflows: Migration = {
  async up(db) {
    const dialect = dialectOf(db);
    await db.schema
      .createTable('workflows')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('workflow_versions')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('workflow_versions_key', ['name', 'version'])
      .execute();

    await db.schema
      .createTable('workflow_runs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('program', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('version', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('partition', 'integer', (column) => column.notNull())
      .addColumn('epoch', 'integer', (column) => column.notNull())
      .addColumn('wake_at', 'text')
      .addColumn('parent', 'text')
      .addColumn('parent_step', 'text')
      .addColumn('root', 'text', (column) => column.notNull())
      .addColumn('depth', 'integer', (column) => column.notNull())
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('client', 'text', (column) => column.notNull())
      .addColumn('client_groups', 'text', (column) => column.notNull())
      .addColumn('idempotency_key', 'text')
      .addColumn('input', 'text', (column) => column.notNull())
      .addColumn('entry', 'text')
      .addColumn('output', 'text')
      .addColumn('error', 'text')
      .addColumn('is_test', 'integer', (column) => column.notNull())
      .addColumn('questions', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addColumn('ended_at', 'text')
      .execute();
    // What the loop of the engine looks for, each kind by an index of its own: few rows of many.
    await sql`create index workflow_runs_runnable on workflow_runs (partition, created_at) where status in ('pending', 'running')`.execute(
      db,
    );
    await sql`create index workflow_runs_due on workflow_runs (wake_at) where status = 'waiting' and wake_at is not null`.execute(
      db,
    );
    await sql`create index workflow_runs_asking on workflow_runs (created_at) where questions > 0`.execute(db);
    await sql`create index workflow_runs_ended on workflow_runs (ended_at) where ended_at is not null`.execute(db);
    await sql`create unique index workflow_runs_key on workflow_runs (name, idempotency_key) where idempotency_key is not null`.execute(
      db,
    );
    for (const [index, columns] of [
      ['workflow_runs_created', ['created_at', 'id']],
      ['workflow_runs_name', ['name', 'created_at', 'id']],
      ['workflow_runs_status', ['status', 'created_at', 'id']],
      ['workflow_runs_client', ['client', 'created_at', 'id']],
      ['workflow_runs_parent', ['parent']],
      ['workflow_runs_root', ['root']],
    ] as const) {
      await db.schema
        .createIndex(index)
        .on('workflow_runs')
        .columns([...columns])
        .execute();
    }

    await db.schema
      .createTable('workflow_steps')
      .addColumn('run_id', 'text', (column) => column.notNull().references('workflow_runs.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('task', 'text', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('starts', 'integer', (column) => column.notNull())
      .addColumn('input', 'text')
      .addColumn('output', 'text')
      .addColumn('error', 'text')
      .addColumn('wait', 'text')
      .addColumn('wake_at', 'text')
      .addColumn('started_at', 'text', (column) => column.notNull())
      .addColumn('ended_at', 'text')
      .addColumn('awakeable', 'text')
      .addPrimaryKeyConstraint('workflow_steps_key', ['run_id', 'name'])
      .execute();
    await sql`create index workflow_steps_untold on workflow_steps (ended_at) where awakeable is not null and status = 'completed'`.execute(
      db,
    );

    const events = addSequenceKey(db.schema.createTable('workflow_events'), 'seq', dialect)
      .addColumn('run_id', 'text', (column) => column.notNull().references('workflow_runs.id').onDelete('cascade'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('source_id', 'text', (column) => column.notNull())
      .addColumn('consumed_by', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull());
    await events.execute();
    // The same event is delivered to a run once, however often its sender tries.
    await db.schema
      .createIndex('workflow_events_once')
      .unique()
      .on('workflow_events')
      .columns(['run_id', 'source_id'])
      .execute();

    // Which unfinished runs hear which type of event.
    await db.schema
      .createTable('workflow_listeners')
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull().references('workflow_runs.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('workflow_listeners_key', ['type', 'run_id'])
      .execute();
    await db.schema.createIndex('workflow_listeners_run').on('workflow_listeners').column('run_id').execute();

    await addSequenceKey(db.schema.createTable('workflow_logs'), 'seq', dialect)
      .addColumn('run_id', 'text', (column) => column.notNull().references('workflow_runs.id').onDelete('cascade'))
      .addColumn('step', 'text')
      .addColumn('level', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('logged_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('workflow_logs_run').on('workflow_logs').columns(['run_id', 'seq']).execute();

    await db.schema
      .createTable('workflow_ticks')
      .addColumn('workflow', 'text', (column) => column.notNull())
      .addColumn('tick', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('workflow_ticks_key', ['workflow', 'tick'])
      .execute();

    await db.schema
      .createTable('webhooks')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('event_type', 'text', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('last_received_at', 'text')
      .execute();
    await db.schema
      .createTable('webhook_messages')
      .addColumn('webhook', 'text', (column) => column.notNull().references('webhooks.name').onDelete('cascade'))
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('received_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('webhook_messages_key', ['webhook', 'message_id'])
      .execute();
    await db.schema.createIndex('webhook_messages_age').on('webhook_messages').column('received_at').execute();

    await db.schema
      .createTable('workflow_secrets')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute();
  },
};
