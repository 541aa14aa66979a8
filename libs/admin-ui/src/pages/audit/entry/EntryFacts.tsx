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
        facts={[
          { title: 'When', value: <time dateTime={entry.at}>{formatDate(new Date(entry.at))}</time> },
          { title: 'Kind', value: KINDS[kind] },
          { title: 'Action', value: entry.action },
          { title: 'Subject', value: subject ?? null },
          { title: 'Made or changed', value: entry.resource ?? null },
          { title: 'Outcome', value: <Outcome outcome={entry.outcome} /> },
          { title: 'Client', value: client ? <Caller name={client} to={filtered('client', client)} /> : null },
          {
            title: 'Account',
            value: client !== undefined && accountOf(client) !== null ? <Caller name={client} /> : null,
          },
          { title: 'Groups', value: groups && groups.length > 0 ? groups.join(', ') : null },
          { title: 'Administrator', value: admin ? <TextLink to={filtered('actor', admin)}>{admin}</TextLink> : null },
          { title: 'Decision', value: decision === undefined ? null : decision === 'allow' ? 'Allowed' : 'Denied' },
          { title: 'Policies', value: policies.length > 0 ? policies.join(', ') : null },
          { title: 'Took', value: durationMs === undefined ? null : formatTook(durationMs) },
          { title: 'How often', value: count ?? null },
          { title: 'Deleted up to', value: entry.deletedTo ? `entry ${entry.deletedTo.seq}` : null },
          { title: 'Run', value: run ? <TextLink to={`/runs/${encodeURIComponent(run)}`}>{run}</TextLink> : null },
          { title: 'Workflow', value: entry.workflow ?? null },
          { title: 'Program', value: programOf(entry) },
          { title: 'Protocol', value: entry.protocol ?? null },
          { title: 'Session', value: entry.session ?? null },
          { title: 'Key', value: entry.key ?? null },
          { title: 'Address', value: entry.address ?? null },
          { title: 'Trace', value: entry.traceId ?? null },
          { title: 'Hash of its batch', value: <span style={{ overflowWrap: 'anywhere' }}>{entry.hash}</span> },
        ]}
      />
    </Paper>
  );
}

const filtered = (name: string, value: string) => `/audit?${name}=${encodeURIComponent(value)}`;

const programOf = ({ program, programVersion }: AuditEntry) =>
  program === undefined ? null : [program, programVersion].filter(Boolean).join(' ');
