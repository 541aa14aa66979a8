import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { dialectOf } from '../../sql/dialect.js';

export const audit: Migration = {
  async up(db) {
    await db.schema
      .createTable('audit_log')
      .addColumn('seq', 'bigint', (column) => column.primaryKey())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('client', 'text')
      .addColumn('admin', 'text')
      .addColumn('subject', 'text')
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('search', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .execute();
    // Lists are in the order of time; each filter has an index of its own. Most entries are calls that went well, so those
    // are not in the indexes of the other kinds and outcomes.
    await sql`create index audit_log_at on audit_log (at, seq)`.execute(db);
    await sql`create index audit_log_client on audit_log (client, at, seq) where client is not null`.execute(db);
    await sql`create index audit_log_admin on audit_log (admin, at, seq) where admin is not null`.execute(db);
    await sql`create index audit_log_subject on audit_log (subject, at, seq) where subject is not null`.execute(db);
    await sql`create index audit_log_kind on audit_log (kind, at, seq) where kind <> 'call'`.execute(db);
    await sql`create index audit_log_outcome on audit_log (outcome, at, seq) where outcome <> 'ok'`.execute(db);

    await db.schema
      .createTable('audit_chain')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('head_seq', 'bigint', (column) => column.notNull())
      .addColumn('head_hash', 'text', (column) => column.notNull())
      .addColumn('anchor_seq', 'bigint', (column) => column.notNull())
      .addColumn('anchor_hash', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('call_counts')
      .addColumn('span', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('of', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('calls', 'bigint', (column) => column.notNull())
      .addColumn('latency', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('call_counts_key', ['span', 'of', 'name', 'at', 'outcome'])
      .execute();
    await sql`create index call_counts_age on call_counts (span, at)`.execute(db);

    for (const statement of dialectOf(db) === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS) await run(db, statement);
  },
};

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);

const UNCHANGEABLE = 'entries of the audit log cannot be changed';
const UNDELETABLE = 'entries of the audit log can be deleted only up to the anchor of the chain';
const FORWARD = 'the audit chain only goes forward';

const SQLITE_GUARDS = [
  `create trigger audit_log_unchangeable before update on audit_log
   begin select raise(abort, '${UNCHANGEABLE}'); end`,
  `create trigger audit_log_undeletable before delete on audit_log
   when old.seq > (select anchor_seq from audit_chain)
   begin select raise(abort, '${UNDELETABLE}'); end`,
  `create trigger audit_chain_forward before update on audit_chain
   when new.head_seq < old.head_seq or new.anchor_seq < old.anchor_seq or new.anchor_seq > new.head_seq
   begin select raise(abort, '${FORWARD}'); end`,
];

const postgresGuard = (name: string, condition: string, message: string) => `
  create function ${name}() returns trigger language plpgsql as $guard$
  begin
    if ${condition} then raise exception '${message}'; end if;
    return coalesce(new, old);
  end $guard$`;

const POSTGRES_GUARDS = [
  postgresGuard('audit_log_unchangeable', 'true', UNCHANGEABLE),
  `create trigger audit_log_unchangeable before update on audit_log
   for each row execute function audit_log_unchangeable()`,
  postgresGuard('audit_log_undeletable', 'old.seq > (select anchor_seq from audit_chain)', UNDELETABLE),
  `create trigger audit_log_undeletable before delete on audit_log
   for each row execute function audit_log_undeletable()`,
  `create trigger audit_log_untruncatable before truncate on audit_log
   for each statement execute function audit_log_unchangeable()`,
  postgresGuard(
    'audit_chain_forward',
    'new.head_seq < old.head_seq or new.anchor_seq < old.anchor_seq or new.anchor_seq > new.head_seq',
    FORWARD,
  ),
  `create trigger audit_chain_forward before update on audit_chain
   for each row execute function audit_chain_forward()`,
];
