import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTagOptions } from './use-tag-options';

interface TagsFieldProps extends Pick<TagsInputProps, 'label' | 'description' | 'placeholder' | 'w' | 'flex'> {
  value: string[];
  onChange: (tags: string[]) => void;
}

/** Field for several tags, which suggests existing tags. */
export function TagsField(props: TagsFieldProps) {
  const [typed, setTyped] = useState('');
  return (
    <TagsInput acceptValueOnBlur {...props} {...useTagOptions(typed)} searchValue={typed} onSearchChange={setTyped} />
  );
}
