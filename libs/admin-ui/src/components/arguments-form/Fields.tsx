import { Checkbox, Fieldset, NativeSelect, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseJson, withArgument } from '../../json-schema/arguments';
import type { BooleanField, ChoiceField, Field, GroupField, ListField, TextField } from '../../json-schema/field';
import { toNumber } from '../../json-schema/number';
import type { Problem } from '../../json-schema/schema-problems';
import { UnreadJson } from '../../json-schema/unread-json';
import { type Json, isJson } from '../../mcp/json-rpc';
import { JsonEditor } from './JsonEditor';

interface FieldsProps {
  fields: readonly Field[];
  value: Json;
  /** The problems of the value, with paths relative to it. */
  problems: readonly Problem[];
  onChange: (value: Json) => void;
}

/** Shows the fields of one object. Empty fields are left out of the value. */
export function Fields({ fields, value, problems, onChange }: FieldsProps) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <FieldControl
          key={field.name}
          field={field}
          value={value[field.name]}
          problems={problems.flatMap(({ path: [name, ...path], ...rest }) =>
            name === field.name ? [{ ...rest, path }] : [],
          )}
          onChange={(next) => onChange(withArgument(value, field.name, next))}
        />
      ))}
    </Stack>
  );
}

interface ControlProps<Kind extends Field = Field> {
  field: Kind;
  value: unknown; // undefined = left out
  problems: readonly Problem[];
  onChange: (value: unknown) => void;
}

/** Shows the control for one field. */
function FieldControl({ field, ...props }: ControlProps) {
  switch (field.kind) {
    case 'text':
      return <TextControl field={field} {...props} />;
    case 'number':
      return <NumberControl field={field} {...props} />;
    case 'boolean':
      return <BooleanControl field={field} {...props} />;
    case 'choice':
      return <ChoiceControl field={field} {...props} />;
    case 'list':
      return <ListControl field={field} {...props} />;
    case 'group':
      return <GroupControl field={field} {...props} />;
    case 'json':
      return <JsonControl field={field} {...props} />;
  }
}

function TextControl({ field, value, problems, onChange }: ControlProps<TextField>) {
  const Control = field.isLong ? Textarea : TextInput;
  const rows = field.isLong ? { autosize: true, minRows: 3, maxRows: 12 } : {};
  return (
    <Control
      {...shared(field, problems)}
      {...rows}
      placeholder={field.example ?? undefined}
      value={toText(value)}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

// Text that is not a number is kept as entered and reported as a problem, instead of becoming another number. The text of a
// number is kept as long as it means the value, which somebody else may change.
function NumberControl({ field, value, problems, onChange }: ControlProps) {
  const [typed, setTyped] = useState('');
  return (
    <TextInput
      {...shared(field, problems)}
      inputMode="decimal"
      value={toNumber(typed) === value ? typed : toText(value)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(toNumber(currentTarget.value));
      }}
    />
  );
}

function BooleanControl({ field, value, problems, onChange }: ControlProps<BooleanField>) {
  if (!field.isAlwaysGiven) {
    return (
      <ChoiceControl field={{ ...field, kind: 'choice', options: [true, false] }} {...{ value, problems, onChange }} />
    );
  }
  return (
    <Checkbox
      label={field.label}
      description={field.description}
      error={errorOf(problems)}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function ChoiceControl({ field, value, problems, onChange }: ControlProps<ChoiceField>) {
  return (
    <NativeSelect
      {...shared(field, problems)}
      value={String(field.options.indexOf(value))}
      onChange={(event) => onChange(field.options[Number(event.currentTarget.value)])}
      data={[
        { value: '-1', label: field.isRequired ? 'Choose…' : 'Left out' },
        ...field.options.map((option, index) => ({
          value: String(index),
          label: typeof option === 'string' ? option : JSON.stringify(option),
        })),
      ]}
    />
  );
}

function ListControl({ field, value, problems, onChange }: ControlProps<ListField>) {
  const entries = Array.isArray(value) ? value.map(toText) : [];
  const accept = (next: string[]) => {
    if (next.length === 0) onChange(undefined);
    else onChange(field.entry === 'number' ? next.map(toNumber) : next);
  };
  return (
    <TagsInput
      {...shared(field, problems)}
      description={[field.description, 'Press Enter after each entry.'].filter(Boolean).join(' ')}
      acceptValueOnBlur
      allowDuplicates
      splitChars={[]} // an entry may have commas
      value={entries}
      onChange={accept}
    />
  );
}

function GroupControl({ field, value, problems, onChange }: ControlProps<GroupField>) {
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
        problems={problems}
        onChange={(next) => onChange(Object.keys(next).length === 0 && !field.isRequired ? undefined : next)}
      />
    </Fieldset>
  );
}

/** Field whose value is entered as JSON. While the text is not valid JSON, the value represents that. */
function JsonControl({ field, value, problems, onChange }: ControlProps) {
  const [typed, setTyped] = useState('');
  const isTyped = JSON.stringify(readJson(typed)) === JSON.stringify(value);
  return (
    <JsonEditor
      label={field.label}
      description={field.description}
      isRequired={field.isRequired}
      text={isTyped ? typed : jsonOf(value)}
      problem={errorOf(problems)}
      onChange={(next) => {
        setTyped(next);
        onChange(readJson(next));
      }}
    />
  );
}

const shared = (field: Field, problems: readonly Problem[]) => ({
  label: field.label,
  description: field.description,
  withAsterisk: field.isRequired,
  error: errorOf(problems),
  maw: 560,
});

// Missing values are listed next to the button, so that an untouched form shows no errors.
function errorOf(problems: readonly Problem[]): string | null {
  const reported = problems.filter(({ isMissing, path }) => !isMissing || path.length > 0);
  return (
    reported.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join(' ') || null
  );
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function jsonOf(value: unknown): string {
  if (value instanceof UnreadJson) return value.text;
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Returns undefined for an empty text. */
function readJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  const parsed = parseJson(text);
  return 'value' in parsed ? parsed.value : new UnreadJson(text, parsed.problem);
}
