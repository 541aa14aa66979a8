import { Group, TextInput } from '@mantine/core';
import { FILTER_WIDTH, FilterChoice } from '../../../components/FilterChoice';
import { useSearch } from '../../../components/use-search';

const STATES = [
  { value: '', label: 'Any state' },
  { value: 'asking', label: 'Waits for an answer' },
  { value: 'pending', label: 'Pending' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
];
const TESTS = [
  { value: '', label: 'With tests' },
  { value: 'none', label: 'Without tests' },
  { value: 'only', label: 'Tests only' },
];

/** Controls of the filter, which is kept in the URL. */
export function RunFilters() {
  const workflow = useSearch('workflow');
  const client = useSearch('client');
  return (
    <Group align="end" gap="sm">
      <FilterText label="Workflow" {...workflow} />
      <FilterChoice label="State" name="state" options={STATES} />
      <FilterText label="Client" {...client} />
      <FilterChoice label="Tests" name="tests" options={TESTS} />
    </Group>
  );
}

interface FilterTextProps {
  label: string;
  search: string;
  setSearch: (text: string) => void;
}

function FilterText({ label, search, setSearch }: FilterTextProps) {
  return (
    <TextInput
      label={label}
      type="search"
      placeholder="Any"
      w={FILTER_WIDTH}
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
    />
  );
}
