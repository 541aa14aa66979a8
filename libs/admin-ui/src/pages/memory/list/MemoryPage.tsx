import { Group, Select, type SelectProps, Stack, Text } from '@mantine/core';
import { Caller } from '../../../components/Caller';
import { type Columns, TablePanel } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { NewButton } from '../../../components/LinkButton';
import { Ago, Until } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { SearchField } from '../../../components/SearchField';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import { useSearch } from '../../../components/use-search';
import { addressOf, type MemoryEntry, useMemoryEntries, useNamespaces } from '../use-memory';
import { CountedOption } from '../../../components/CountedOption';
import { messageOf } from '../../../components/ErrorNotice';

const COLUMNS: Columns<MemoryEntry> = {
  Entry: (entry) => (
    <Stack gap={4}>
      <TextLink to={addressOf(entry)}>{entry.key}</TextLink>
      <Text size="sm" lineClamp={2}>
        {entry.content}
      </Text>
      <Tags tags={entry.tags} />
    </Stack>
  ),
  Namespace: ({ namespace }) => namespace,
  Importance: ({ importance }) => importance,
  'Saved by': ({ client }) => <Caller name={client} />,
  Updated: ({ updatedAt }) => <Ago at={updatedAt} />,
  Expires: ({ expiresAt }) => (expiresAt ? <Until at={expiresAt} /> : 'Never'),
};

export default function MemoryPage() {
  const { field, settledSearch } = useSearch();
  const { search: namespace, setSearch: setNamespace, settledSearch: settledNamespace } = useSearch('namespace');
  const entries = useMemoryEntries(settledSearch, settledNamespace);
  const isNarrowed = settledSearch !== '' || settledNamespace !== '';
  return (
    <>
      <PageHeader
        title="Memory"
        about="Notes that assistants keep for later and share with each other."
        actions={
          <OnlyFor role="editor">
            <NewButton to="/memory/new">New entry</NewButton>
          </OnlyFor>
        }
      />
      <Stack>
        <Group align="end">
          <SearchField label="Search memory" placeholder="Words in the entries" {...field} />
          <NamespaceSelect value={namespace} onChange={setNamespace} />
        </Group>
        <TablePanel
          label="Memory"
          query={entries}
          columns={COLUMNS}
          rows={entries.data?.items}
          keyOf={({ uri }) => uri}
          pages={entries}
          empty={
            <EmptyState title={isNarrowed ? 'No entry found' : 'Nothing is remembered yet'}>
              {isNarrowed
                ? 'Try other words, or choose another namespace.'
                : 'Ask a connected assistant to remember something; it will appear here.'}
            </EmptyState>
          }
        />
      </Stack>
    </>
  );
}

interface NamespaceSelectProps {
  value: string; // '' = all
  onChange: (namespace: string) => void;
}

const ALL = { value: '', label: 'All' };

/** Select field that filters the memory by namespace. */
function NamespaceSelect({ value, onChange }: NamespaceSelectProps) {
  const { data: namespaces = [], error } = useNamespaces();
  const sizes = new Map(namespaces.map(({ namespace, entries }) => [namespace, entries]));
  // The URL may still name a namespace that has become empty.
  const names = value === '' || sizes.has(value) ? [...sizes.keys()] : [value, ...sizes.keys()];
  const renderOption: SelectProps['renderOption'] = ({ option: { value, label } }) => (
    <CountedOption label={label} count={value === '' ? undefined : (sizes.get(value) ?? 0)} />
  );
  return (
    <Select
      label="Namespace"
      w={{ base: '100%', xs: 240 }}
      searchable
      allowDeselect={false}
      nothingFoundMessage="There is no such namespace"
      data={[ALL, ...names]}
      renderOption={renderOption}
      value={value}
      error={error && messageOf(error)}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
