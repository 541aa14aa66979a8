import type { ColumnTypes } from './column-types.js';

/** The audit log, and the guards against changes of its entries. */
export const auditTables = ({ dialect, sequenceValue, bytes }: ColumnTypes): string[] => [
  `create table audit_batches (first_seq ${sequenceValue} primary key not null, last_seq bigint not null,
    from_ms bigint not null, to_ms bigint not null, deleted_to_seq bigint, deleted_to_hash text, hash text not null,
    body ${bytes} not null)`,
  // Lists are sorted by time.
  `create index audit_batches_time on audit_batches (to_ms, first_seq)`,
  `create index audit_batches_retention on audit_batches (first_seq) where deleted_to_seq is not null`,
  `create table audit_terms (first_seq bigint not null, term text not null, to_ms bigint not null, n integer not null,
    primary key (first_seq, term)) ${dialect === 'sqlite' ? 'without rowid' : ''}`,
  `create index audit_terms_time on audit_terms (term, to_ms, first_seq)`,
  // The single row is found by its id; a second one would be another chain.
  `create table audit_chain (id integer primary key check (id = 1), head_seq bigint not null, head_hash text not null,
    anchor_seq bigint not null, anchor_hash text not null)`,
  ...GUARDS.flatMap((guard) => (dialect === 'sqlite' ? [sqliteGuard(guard)] : postgresGuard(guard))),
  ...(dialect === 'sqlite' ? [] : ONLY_ON_POSTGRES),
];

/** An operation that the database refuses, whoever requests it. */
interface Guard {
  name: string;
  on: string;
  refusedIf: string;
  message: string;
}

/** Condition: the batch is the last one, and ends at the head of the chain. */
const IS_HEAD = `first_seq = (select max(first_seq) from audit_batches) and last_seq = new.head_seq and hash = new.head_hash`;

const GUARDS: Guard[] = [
  ...['audit_batches', 'audit_terms'].flatMap((table) => [
    {
      name: `${table}_unchangeable`,
      on: `update on ${table}`,
      refusedIf: 'true',
      message: 'entries of the audit log cannot be changed',
    },
    {
      name: `${table}_undeletable`,
      on: `delete on ${table}`,
      refusedIf: 'old.first_seq > (select coalesce(max(anchor_seq), 0) from audit_chain)',
      message: 'entries of the audit log can be deleted only up to the anchor of the chain',
    },
    {
      // SQLite's `insert or replace` deletes without firing the delete trigger.
      name: `${table}_at_end`,
      on: `insert on ${table}`,
      refusedIf: 'new.first_seq <= (select max(head_seq) from audit_chain)',
      message: 'entries of the audit log are added only at its end',
    },
  ]),
  {
    name: 'audit_chain_forward',
    on: 'update on audit_chain',
    refusedIf: `new.head_seq < old.head_seq or new.anchor_seq < old.anchor_seq
      or (new.head_seq = old.head_seq and new.head_hash <> old.head_hash)
      or (new.anchor_seq = old.anchor_seq and new.anchor_hash <> old.anchor_hash)
      or not exists (select 1 from audit_batches where ${IS_HEAD})
      or (new.anchor_seq > old.anchor_seq and not exists (select 1 from audit_batches where ${IS_HEAD}
        and deleted_to_seq = new.anchor_seq and deleted_to_hash = new.anchor_hash))`,
    message: 'the audit chain only goes forward, with the entries that say so',
  },
  {
    name: 'audit_chain_undeletable',
    on: 'delete on audit_chain',
    refusedIf: 'true',
    message: 'the ends of the audit chain cannot be deleted',
  },
  {
    name: 'audit_chain_single',
    on: 'insert on audit_chain',
    refusedIf: 'exists (select 1 from audit_chain)',
    message: 'the audit chain has its ends already',
  },
];

const sqliteGuard = ({ name, on, refusedIf, message }: Guard): string =>
  `create trigger ${name} before ${on} when ${refusedIf} begin select raise(abort, '${message}'); end`;

const postgresGuard = ({ name, on, refusedIf, message }: Guard): string[] => [
  `create function ${name}() returns trigger language plpgsql as $guard$
  begin
    if ${refusedIf} then raise exception '${message}'; end if;
    return coalesce(new, old);
  end $guard$`,
  `create trigger ${name} before ${on} for each row execute function ${name}()`,
];

const ONLY_ON_POSTGRES = [
  // The data is already compressed.
  `alter table audit_batches alter column body set storage external`,
  ...[
    ['audit_batches', 'audit_batches_unchangeable'],
    ['audit_terms', 'audit_terms_unchangeable'],
    ['audit_chain', 'audit_chain_undeletable'],
  ].map(
    ([table, guard]) =>
      `create trigger ${table}_untruncatable before truncate on ${table} for each statement execute function ${guard}()`,
  ),
];
