import { Stack } from '@mantine/core';
import { withArgument } from '../../../../json-schema/arguments';
import type { Field } from '../../../../json-schema/field';
import type { Json } from '../../../../mcp/json-rpc';
import { FieldControl } from './FieldControl';

interface FieldsProps {
  fields: readonly Field[];
  value: Json;
  onChange: (value: Json) => void;
}

/** Shows the fields of one object. Empty fields are left out of the value. */
export function Fields({ fields, value, onChange }: FieldsProps) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <FieldControl
          key={field.name}
          field={field}
          value={value[field.name]}
          onChange={(next) => onChange(withArgument(value, field.name, next))}
        />
      ))}
    </Stack>
  );
}
