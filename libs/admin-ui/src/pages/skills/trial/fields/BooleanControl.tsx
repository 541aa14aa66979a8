import { Checkbox } from '@mantine/core';
import type { ControlProps } from './FieldControl';

export function BooleanControl({ field, value, onChange }: ControlProps) {
  return (
    <Checkbox
      label={field.label}
      description={field.description}
      checked={value === true}
      indeterminate={value === undefined}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
