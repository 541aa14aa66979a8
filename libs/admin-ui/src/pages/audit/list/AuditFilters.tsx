import { Group, TextInput } from '@mantine/core';
import { FilterChoice, FilterText, useParam } from '../../../components/FilterChoice';
import { KINDS } from '../audit-filter';
import { OUTCOMES } from '../Outcome';

const ANY_KIND = [{ value: '', label: 'Any kind' }];
const ANY_OUTCOME = [{ value: '', label: 'Any outcome' }];

/** Controls of the filter, which is kept in the URL. */
export function AuditFilters() {
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
