import { Paper } from '@mantine/core';
import { Caller } from '../../../components/Caller';
import { Facts } from '../../../components/Facts';
import { accountOf } from '../../../components/caller-name';
import { TextLink } from '../../../components/TextLink';
import { formatDate, formatTook } from '../../../text/format';
import { type AuditEntry, KINDS } from '../audit-filter';
import { Outcome } from '../Outcome';

/** Shows the data of an entry, except its larger parts. */
export function EntryFacts({ entry }: { entry: AuditEntry }) {
  const { kind, client, groups, admin, subject, decision, policies = [], durationMs, run, count } = entry;
  return (
    <Paper withBorder p="md">
      <Facts
        facts={{
          When: <time dateTime={entry.at}>{formatDate(new Date(entry.at))}</time>,
          Kind: KINDS[kind],
          Action: entry.action,
          Subject: subject ?? null,
          'Made or changed': entry.resource ?? null,
          Outcome: <Outcome outcome={entry.outcome} />,
          Client: client ? <Caller name={client} to={filtered('client', client)} /> : null,
          Account: client !== undefined && accountOf(client) !== null ? <Caller name={client} /> : null,
          Groups: groups && groups.length > 0 ? groups.join(', ') : null,
          Administrator: admin ? <TextLink to={filtered('actor', admin)}>{admin}</TextLink> : null,
          Decision: decision === undefined ? null : decision === 'allow' ? 'Allowed' : 'Denied',
          Policies: policies.length > 0 ? policies.join(', ') : null,
          Took: durationMs === undefined ? null : formatTook(durationMs),
          'How often': count ?? null,
          'Deleted up to': entry.deletedTo ? `entry ${entry.deletedTo.seq}` : null,
          Run: run ? <TextLink to={`/runs/${encodeURIComponent(run)}`}>{run}</TextLink> : null,
          Workflow: entry.workflow ?? null,
          Program: programOf(entry),
          Protocol: entry.protocol ?? null,
          Session: entry.session ?? null,
          Key: entry.key ?? null,
          Address: entry.address ?? null,
          Trace: entry.traceId ?? null,
          'Hash of its batch': <span style={{ overflowWrap: 'anywhere' }}>{entry.hash}</span>,
        }}
      />
    </Paper>
  );
}

const filtered = (name: string, value: string) => `/audit?${name}=${encodeURIComponent(value)}`;

const programOf = ({ program, programVersion }: AuditEntry) =>
  program === undefined ? null : [program, programVersion].filter(Boolean).join(' ');
