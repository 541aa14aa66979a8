import { NativeSelect, TextInput } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useSearch, withParam } from './use-search';

const FILTER_WIDTH = { base: '100%', xs: 180 };

interface FilterChoiceProps {
  label: string;
  name: string;
  options: { value: string; label: string }[];
}

/** A select field of a filter whose value is kept in the URL. */
export function FilterChoice({ label, name, options }: FilterChoiceProps) {
  const [value, choose] = useParam(name);
  return (
    <NativeSelect
      label={label}
      data={options}
      w={FILTER_WIDTH}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

/** A text field of a filter whose value is kept in the URL. */
export function FilterText({ label, name }: Pick<FilterChoiceProps, 'label' | 'name'>) {
  const { search, setSearch } = useSearch(name);
  return (
    <TextInput
      label={label}
      type="search"
      placeholder="Any"
      maxLength={200}
      w={FILTER_WIDTH}
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
    />
  );
}

/** Returns a query parameter of the URL, '' if absent, and its setter. */
export function useParam(name: string): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const choose = (value: string) => setParams((given) => withParam(given, name, value), { replace: true });
  return [params.get(name) ?? '', choose];
}
