import { NumberInput, Textarea, TextInput } from '@mantine/core';
import type { Field } from '../../../../json-schema/field';
import { BooleanControl } from './BooleanControl';
import { ChoiceControl } from './ChoiceControl';
import { GroupControl } from './GroupControl';
import { JsonControl } from './JsonControl';
import { ListControl } from './ListControl';

export interface ControlProps<Kind extends Field = Field> {
  field: Kind;
  value: unknown; // undefined = left out
  onChange: (value: unknown) => void;
}

/** Shows the control for one field. */
export function FieldControl({ field, value, onChange }: ControlProps) {
  const shared = { label: field.label, description: field.description, withAsterisk: field.isRequired, maw: 560 };
  switch (field.kind) {
    case 'text': {
      const TextControl = field.isLong ? Textarea : TextInput;
      const rows = field.isLong ? { autosize: true, minRows: 3, maxRows: 12 } : {};
      return (
        <TextControl
          {...shared}
          {...rows}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
    }
    case 'number':
      return (
        <NumberInput
          {...shared}
          value={typeof value === 'number' ? value : ''}
          min={field.minimum}
          max={field.maximum}
          clampBehavior="none"
          allowDecimal={!field.isInteger}
          onChange={(next) => onChange(next === '' ? undefined : Number(next))}
        />
      );
    case 'boolean':
      return <BooleanControl field={field} value={value} onChange={onChange} />;
    case 'choice':
      return <ChoiceControl field={field} value={value} onChange={onChange} />;
    case 'list':
      return <ListControl field={field} value={value} onChange={onChange} />;
    case 'group':
      return <GroupControl field={field} value={value} onChange={onChange} />;
    case 'json':
      return <JsonControl field={field} value={value} onChange={onChange} />;
  }
}
