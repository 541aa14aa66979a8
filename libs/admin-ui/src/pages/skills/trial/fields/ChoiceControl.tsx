import { NativeSelect } from '@mantine/core';
import type { ChoiceField } from '../../../../json-schema/field';
import type { ControlProps } from './FieldControl';

export function ChoiceControl({ field, value, onChange }: ControlProps<ChoiceField>) {
  return (
    <NativeSelect
      label={field.label}
      description={field.description}
      withAsterisk={field.isRequired}
      maw={560}
      value={String(field.options.indexOf(value))}
      onChange={(event) => onChange(field.options[Number(event.currentTarget.value)])}
      data={[
        { value: '-1', label: 'Choose…' },
        ...field.options.map((option, index) => ({
          value: String(index),
          label: typeof option === 'string' ? option : JSON.stringify(option),
        })),
      ]}
    />
  );
}
