import { Fieldset, Text } from '@mantine/core';
import type { GroupField } from '../../../../json-schema/field';
import { isJson } from '../../../../mcp/json-rpc';
import type { ControlProps } from './FieldControl';
import { Fields } from './Fields';

export function GroupControl({ field, value, onChange }: ControlProps<GroupField>) {
  return (
    <Fieldset legend={field.label}>
      {field.description && (
        <Text size="sm" c="dimmed" mb="xs">
          {field.description}
        </Text>
      )}
      <Fields
        fields={field.fields}
        value={isJson(value) ? value : {}}
        onChange={(next) => onChange(Object.keys(next).length === 0 && !field.isRequired ? undefined : next)}
      />
    </Fieldset>
  );
}
