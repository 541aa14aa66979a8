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
  `create table audit_chain (id integer primary key, head_seq bigint not null, head_hash text not null,
    anchor_seq bigint not null, anchor_hash text not null)`,
  ...(dialect === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS),
];

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
