import { Select, type SelectProps } from '@mantine/core';
import { CountedOption } from '../../../components/CountedOption';
import { messageOf } from '../../../components/ErrorNotice';
import { useNamespaces } from '../use-memory';

interface NamespaceSelectProps {
  value: string; // '' = all
  onChange: (namespace: string) => void;
}

const ALL = { value: '', label: 'All' };

/** Select field that filters the memory by namespace. */
export function NamespaceSelect({ value, onChange }: NamespaceSelectProps) {
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
