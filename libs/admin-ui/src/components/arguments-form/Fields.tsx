import {
  Stack,
  NumberInput,
  Textarea,
  TextInput,
  Checkbox,
  NativeSelect,
  TagsInput,
  Fieldset,
  Text,
} from '@mantine/core';
import { useState } from 'react';
import { withArgument } from '../../json-schema/arguments';
import type { Field, ChoiceField, ListField, GroupField } from '../../json-schema/field';
import { type Json, isJson } from '../../mcp/json-rpc';
import { JsonEditor } from './JsonEditor';

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

interface ControlProps<Kind extends Field = Field> {
  field: Kind;
  value: unknown; // undefined = left out
  onChange: (value: unknown) => void;
}

/** Shows the control for one field. */
function FieldControl({ field, value, onChange }: ControlProps) {
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

function BooleanControl({ field, value, onChange }: ControlProps) {
  return (
    <Checkbox
      label={field.label}
      description={field.description}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function ChoiceControl({ field, value, onChange }: ControlProps<ChoiceField>) {
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

function ListControl({ field, value, onChange }: ControlProps<ListField>) {
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

function GroupControl({ field, value, onChange }: ControlProps<GroupField>) {
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

/** Field whose value is entered as JSON. The value is updated whenever the text is valid. */
function JsonControl({ field, value, onChange }: ControlProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const accept = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setProblem(null);
    } catch (error) {
      setProblem(
        `This is not valid JSON and is not used yet: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
  return (
    <JsonEditor
      label={field.label}
      description={field.description}
      isRequired={field.isRequired}
      text={text}
      problem={problem}
      onChange={accept}
    />
  );
}
