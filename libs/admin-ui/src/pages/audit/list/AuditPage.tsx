import { Group, Stack, TextInput } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { DownloadButton } from '../../../components/DownloadButton';
import { EmptyState } from '../../../components/EmptyState';
import { PageHeader } from '../../../components/PageHeader';
import { TablePanel } from '../../../components/DataTable';
import { type AuditFilter, exportPath, filterOf, KINDS } from '../audit-filter';
import { AUDIT_COLUMNS } from '../audit-columns';
import { useAudit } from '../use-audit';
import { VerifyButton } from './VerifyButton';
import { FilterChoice, FilterText, useParam } from '../../../components/FilterChoice';
import { OUTCOMES } from '../Outcome';

export default function AuditPage() {
  const [params] = useSearchParams();
  const filter = filterOf(params);
  return (
    <>
      <PageHeader
        title="Audit"
        about="Every call, refusal and change, newest first. Entries cannot be changed, and each one is chained to the one before."
        actions={
          <Group gap="sm">
            <VerifyButton />
            <DownloadButton label="Export" href={exportPath(filter)} />
          </Group>
        }
      />
      <Stack>
        <AuditFilters />
        <AuditList filter={filter} />
      </Stack>
    </>
  );
}

/** The entries that match a filter. */
function AuditList({ filter }: { filter: AuditFilter }) {
  const entries = useAudit(filter);
  return (
    <TablePanel
      label="Audit log"
      query={entries}
      columns={AUDIT_COLUMNS}
      rows={entries.data?.items}
      keyOf={({ seq }) => String(seq)}
      pages={entries}
      empty={
        <EmptyState title={entries.hasNextPage ? 'Nothing found among the newest entries' : 'Nothing found'}>
          {entries.hasNextPage ? 'Older entries have not been searched yet.' : 'Choose other filters.'}
        </EmptyState>
      }
    />
  );
}

const ANY_KIND = [{ value: '', label: 'Any kind' }];
const ANY_OUTCOME = [{ value: '', label: 'Any outcome' }];

/** Controls of the filter, which is kept in the URL. */
function AuditFilters() {
  return (
    <Group align="end" gap="sm">
      <FilterChoice label="Kind" name="kind" options={[...ANY_KIND, ...optionsOf(KINDS)]} />
      <FilterText label="Client" name="client" />
      <FilterText label="Administrator" name="actor" />
      <FilterText label="Tool, URI or path" name="tool" />
      <FilterChoice label="Outcome" name="outcome" options={[...ANY_OUTCOME, ...optionsOf(OUTCOMES)]} />
      <FilterTime label="From" name="from" />
      <FilterTime label="Until" name="to" />
      <FilterText label="Text" name="q" />
    </Group>
  );
}

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

function FilterTime({ label, name }: { label: string; name: string }) {
  const [value, choose] = useParam(name);
  return (
    <TextInput
      label={label}
      type="datetime-local"
      w={{ base: '100%', xs: 210 }}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
