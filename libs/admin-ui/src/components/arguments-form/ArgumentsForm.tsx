import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../Form';
import { unreadTexts } from '../../json-schema/unread-json';
import type { Json } from '../../mcp/json-rpc';
import { Fields } from './Fields';
import { JsonEditor } from './JsonEditor';
import { useArguments } from './use-arguments';

interface ArgumentsFormProps {
  schema: Json;
  /** Initial values of the form. Default: the defaults of the schema. */
  initial?: Json;
  /** Label of the submit button. */
  submit: string;
  /** Text instead of fields when the schema declares none. */
  noFields: string;
  /** Why the form cannot be submitted now; null when it can. */
  obstacle?: string | null;
  /** True when arguments that do not match the schema can be submitted. */
  allowsInvalid?: boolean;
  isRunning: boolean;
  /** Called when something is entered. */
  onEdit?: () => void;
  onRun: (args: Json) => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** Input of arguments, in a form generated from the schema or as JSON. Both show the same values. */
export function ArgumentsForm(props: ArgumentsFormProps) {
  const {
    schema,
    initial,
    submit: label,
    noFields,
    obstacle = null,
    allowsInvalid = false,
    isRunning,
    onEdit,
    onRun,
    children,
  } = props;
  const entry = useArguments(schema, initial);
  const { mode, fields, problem, missing, elsewhere, unshown } = entry;
  const isReadable = problem === null && unreadTexts(entry.entered).length === 0;
  const isSubmittable = obstacle === null && isReadable && (allowsInvalid || entry.fits);
  const edit =
    <Value,>(enter: (value: Value) => void) =>
    (value: Value) => {
      onEdit?.();
      enter(value);
    };
  const submit = () => {
    if (isSubmittable) onRun(entry.entered);
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label="How to enter the arguments"
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          value={mode}
          onChange={entry.switchTo}
          disabled={problem !== null}
          w="fit-content"
        />
        {mode === 'form' && fields.length === 0 && <Text size="sm">{noFields}</Text>}
        {mode === 'form' && (
          <Fields fields={fields} value={entry.args} problems={entry.problems} onChange={edit(entry.setArgs)} />
        )}
        {mode === 'json' && (
          <JsonEditor label="Arguments" text={entry.json} problem={problem} onChange={edit(entry.setJson)} />
        )}
        {unshown.length > 0 && <Text size="sm">{`Also sent, as entered in the JSON: ${unshown.join(', ')}`}</Text>}
        {elsewhere.map((text) => (
          <Text key={text} size="sm" c="red.9">
            {text}
          </Text>
        ))}
        <Group>
          <Button type="submit" disabled={isRunning || !isSubmittable}>
            {label}
          </Button>
          {children}
          {obstacle && <Text size="sm">{obstacle}</Text>}
          {!obstacle && missing.length > 0 && <Text size="sm">{`Still missing: ${missing.join(', ')}`}</Text>}
        </Group>
      </Stack>
    </Form>
  );
}
