import { TextInput, type TextInputProps } from '@mantine/core';
import { SearchIcon } from '@primer/octicons-react';

interface SearchFieldProps extends Omit<TextInputProps, 'onChange'> {
  label: string;
  value: string;
  onChange: (search: string) => void;
}

/** The limit of the service, in characters. */
const LONGEST_SEARCH = 1_000;

/** Search field that filters a list while the user types. */
export function SearchField({ onChange, ...props }: SearchFieldProps) {
  return (
    <TextInput
      type="search"
      w="100%"
      maw={480}
      leftSection={<SearchIcon size={16} aria-hidden />}
      maxLength={LONGEST_SEARCH}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}
