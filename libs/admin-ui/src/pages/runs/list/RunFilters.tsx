import { Group } from '@mantine/core';
import { FilterChoice, FilterText } from '../../../components/FilterChoice';

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
  return (
    <Group align="end" gap="sm">
      <FilterText label="Workflow" name="workflow" />
      <FilterChoice label="State" name="state" options={STATES} />
      <FilterText label="Client" name="client" />
      <FilterChoice label="Tests" name="tests" options={TESTS} />
    </Group>
  );
}
