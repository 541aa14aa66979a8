import { Stack, Text } from '@mantine/core';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import type { AuditFilter } from '../../audit/audit-filter';
import { AUDIT_COLUMNS } from '../../audit/audit-columns';
import { DataTable } from '../../../components/DataTable';
import { useAudit } from '../../audit/use-audit';

interface ClientEntriesProps {
  title: string;
  client: string;
  filter: Pick<AuditFilter, 'kind' | 'outcome'>;
  /** Text when there are none. */
  none: string;
}

const SHOWN = 5;

/** The latest entries of the audit log about a client. */
export function ClientEntries({ title, client, filter, none }: ClientEntriesProps) {
  const entries = useAudit({ ...filter, client });
  const items = entries.data?.items.slice(0, SHOWN) ?? [];
  const query = new URLSearchParams({ ...filter, client });
  return (
    <Section title={title}>
      <Stack gap="sm">
        <QueryState query={entries} />
        {entries.data && items.length === 0 && <Text c="dimmed">{none}</Text>}
        {items.length > 0 && (
          <DataTable label={title} columns={AUDIT_COLUMNS} rows={items} keyOf={({ seq }) => String(seq)} />
        )}
        {items.length > 0 && (
          <Text size="sm">
            These are the latest. <TextLink to={`/audit?${query.toString()}`}>{`All ${title.toLowerCase()}`}</TextLink>{' '}
            are in the audit log.
          </Text>
        )}
      </Stack>
    </Section>
  );
}
