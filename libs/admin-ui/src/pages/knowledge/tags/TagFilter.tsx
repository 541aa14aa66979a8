import { Autocomplete } from '@mantine/core';
import { TagIcon } from '@primer/octicons-react';
import { useTagOptions } from './use-tag-options';

interface TagFilterProps {
  value: string;
  onChange: (tag: string) => void;
}

/** Field that narrows the list to the documents with a tag. */
export function TagFilter({ value, onChange }: TagFilterProps) {
  return (
    <Autocomplete
      label="Tag"
      w={{ base: '100%', xs: 240 }}
      placeholder="Any"
      leftSection={<TagIcon size={16} aria-hidden />}
      {...useTagOptions(value)}
      value={value}
      onChange={onChange}
    />
  );
}
