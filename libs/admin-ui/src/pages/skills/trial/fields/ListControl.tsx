import { TagsInput } from '@mantine/core';
import type { ListField } from '../../../../json-schema/field';
import type { ControlProps } from './FieldControl';

export function ListControl({ field, value, onChange }: ControlProps<ListField>) {
  const entries = Array.isArray(value) ? value.map(String) : [];
  const accept = (next: string[]) => {
    if (next.length === 0) onChange(undefined);
    else onChange(field.entry === 'number' ? next.map(Number).filter(Number.isFinite) : next);
  };
  return (
    <TagsInput
      label={field.label}
      description={[field.description, 'Press Enter after each entry.'].filter(Boolean).join(' ')}
      withAsterisk={field.isRequired}
      maw={560}
      acceptValueOnBlur
      allowDuplicates
      value={entries}
      onChange={accept}
    />
  );
}
