import { Checkbox } from '@mantine/core';
import type { ControlProps } from './FieldControl';

export function BooleanControl({ field, value, onChange }: ControlProps) {
  return (
    <Checkbox
      label={field.label}
      description={field.description}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
