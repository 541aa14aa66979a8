import { Group, TextInput } from '@mantine/core';
import { FILTER_WIDTH as WIDTH, FilterChoice, useParam } from '../../../components/FilterChoice';
import { useSearch } from '../../../components/use-search';
import { KINDS } from '../audit-filter';

const ANY_KIND = [{ value: '', label: 'Any kind' }];
const ANY_OUTCOME = [
  { value: '', label: 'Any outcome' },
  { value: 'ok', label: 'OK' },
  { value: 'denied', label: 'Denied' },
  { value: 'error', label: 'Failed' },
  { value: 'invalid', label: 'Wrong arguments' },
  { value: 'unknown', label: 'Unknown' },
  { value: 'timeout', label: 'Took too long' },
  { value: 'cancelled', label: 'Cancelled' },
];

/** Controls of the filter, which is kept in the address. */
export function AuditFilters() {
  const kinds = Object.entries(KINDS).map(([value, label]) => ({ value, label }));
  return (
    <Group align="end" gap="sm">
      <FilterChoice label="Kind" name="kind" options={[...ANY_KIND, ...kinds]} />
      <FilterText label="Client" name="client" />
      <FilterText label="Administrator" name="actor" />
      <FilterText label="Tool, URI or path" name="tool" />
      <FilterChoice label="Outcome" name="outcome" options={ANY_OUTCOME} />
      <FilterTime label="From" name="from" />
      <FilterTime label="Until" name="to" />
      <FilterText label="Text" name="q" />
    </Group>
  );
}

function FilterText({ label, name }: { label: string; name: string }) {
  const { search, setSearch } = useSearch(name);
  return (
    <TextInput
      label={label}
      type="search"
      placeholder="Any"
      maxLength={200}
      w={WIDTH}
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
    />
  );
}

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
