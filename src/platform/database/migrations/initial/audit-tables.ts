import type { ColumnTypes } from './column-types.js';

/** The audit log, and what keeps its entries from being changed. */
export const auditTables = ({ dialect }: ColumnTypes): string[] => [
  `create table audit_log (seq bigint primary key, at text not null, kind text not null, client text, admin text,
    subject text, outcome text not null, record text not null, search text not null, hash text not null)`,
  // Lists are in the order of time; each filter has an index of its own. Most entries are calls that went well, so
  // those are not in the indexes of the other kinds and outcomes.
  `create index audit_log_at on audit_log (at, seq)`,
  `create index audit_log_client on audit_log (client, at, seq) where client is not null`,
  `create index audit_log_admin on audit_log (admin, at, seq) where admin is not null`,
  `create index audit_log_subject on audit_log (subject, at, seq) where subject is not null`,
  `create index audit_log_kind on audit_log (kind, at, seq) where kind <> 'call'`,
  `create index audit_log_outcome on audit_log (outcome, at, seq) where outcome <> 'ok'`,
  // The one row is found by its id; a second one would be another chain.
  `create table audit_chain (id integer primary key check (id = 1), head_seq bigint not null, head_hash text not null,
    anchor_seq bigint not null, anchor_hash text not null)`,
  ...guards(dialect).flatMap((guard) => (dialect === 'sqlite' ? [sqliteGuard(guard)] : postgresGuard(guard))),
  ...(dialect === 'sqlite' ? [] : UNTRUNCATABLE),
];

/** What the database refuses to do, whoever asks for it. */
interface Guard {
  name: string;
  on: string;
  refusedIf: string;
  message: string;
}

const guards = (dialect: ColumnTypes['dialect']): Guard[] => [
  {
    name: 'audit_log_unchangeable',
    on: 'update on audit_log',
    refusedIf: 'true',
    message: 'entries of the audit log cannot be changed',
  },
  {
    name: 'audit_log_undeletable',
    on: 'delete on audit_log',
    refusedIf: 'old.seq > (select coalesce(max(anchor_seq), 0) from audit_chain)',
    message: 'entries of the audit log can be deleted only up to the anchor of the chain',
  },
  {
    // `insert or replace` of SQLite deletes without asking the guard of deletions.
    name: 'audit_log_at_end',
    on: 'insert on audit_log',
    refusedIf: 'new.seq <= (select max(head_seq) from audit_chain)',
    message: 'entries of the audit log are added only at its end',
  },
  {
    name: 'audit_chain_forward',
    on: 'update on audit_chain',
    refusedIf: `new.head_seq < old.head_seq or new.anchor_seq < old.anchor_seq
      or (new.head_seq = old.head_seq and new.head_hash <> old.head_hash)
      or (new.anchor_seq = old.anchor_seq and new.anchor_hash <> old.anchor_hash)
      or not exists (select 1 from audit_log where seq = new.head_seq and hash = new.head_hash)
      or (new.anchor_seq > old.anchor_seq and not exists (select 1 from audit_log where seq = new.head_seq
        and kind = 'retention' and ${member(dialect, 'seq')} = cast(new.anchor_seq as text)
        and ${member(dialect, 'hash')} = new.anchor_hash))`,
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

/** A member of the link up to which an entry says that entries were deleted. */
const member = (dialect: ColumnTypes['dialect'], name: 'seq' | 'hash'): string =>
  dialect === 'sqlite'
    ? `cast(json_extract(record, '$.deletedTo.${name}') as text)`
    : `(record::json #>> '{deletedTo,${name}}')`;

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

const UNTRUNCATABLE = [
  `create trigger audit_log_untruncatable before truncate on audit_log
   for each statement execute function audit_log_unchangeable()`,
  `create trigger audit_chain_untruncatable before truncate on audit_chain
   for each statement execute function audit_chain_undeletable()`,
];
