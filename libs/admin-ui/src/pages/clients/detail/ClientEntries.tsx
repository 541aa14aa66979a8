import { Stack, Text } from '@mantine/core';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { TextLink } from '../../../components/TextLink';
import type { AuditFilter } from '../../audit/audit-filter';
import { AuditTable } from '../../audit/AuditTable';
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
  const items = entries.data?.pages.flatMap((page) => page.items).slice(0, SHOWN) ?? [];
  const query = new URLSearchParams({ ...filter, client });
  return (
    <Section title={title}>
      <Stack gap="sm">
        <QueryState query={entries} />
        {entries.data && items.length === 0 && <Text c="dimmed">{none}</Text>}
        {items.length > 0 && <AuditTable label={title} entries={items} />}
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
