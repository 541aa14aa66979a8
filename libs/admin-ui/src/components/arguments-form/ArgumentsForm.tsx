import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { defaultsOf, parseArguments } from '../../json-schema/arguments';
import { fieldsOf, isFormEnough } from '../../json-schema/field';
import type { Json } from '../../mcp/json-rpc';
import { Fields } from './Fields';
import { JsonEditor } from './JsonEditor';

interface ArgumentsFormProps {
  schema: Json;
  /** What the form begins with. Default: the defaults of the schema. */
  initial?: Json;
  /** Label of the button that submits. */
  submit: string;
  /** What is said in the place of fields when the schema declares none. */
  noFields: string;
  /** Why the form cannot be submitted now; null when it can. */
  obstacle?: string | null;
  isRunning: boolean;
  onRun: (args: Json) => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** Asks for the arguments, in a form made from the schema or as JSON. Both show the same values. */
export function ArgumentsForm(props: ArgumentsFormProps) {
  const { schema, initial, submit: label, noFields, obstacle = null, isRunning, onRun, children } = props;
  const [begun] = useState(() => initial ?? defaultsOf(schema));
  const [mode, setMode] = useState<string>(isFormEnough(schema) ? 'form' : 'json');
  const [args, setArgs] = useState(begun);
  const [json, setJson] = useState(() => JSON.stringify(begun, null, 2));
  const fields = fieldsOf(schema);
  const parsed = parseArguments(json);
  const problem = mode === 'json' && 'problem' in parsed ? parsed.problem : null;

  const switchTo = (next: string) => {
    if (next === 'json') setJson(JSON.stringify(args, null, 2));
    else if ('arguments' in parsed) setArgs(parsed.arguments);
    setMode(next);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (mode === 'form') onRun(args);
    else if ('arguments' in parsed) onRun(parsed.arguments);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <SegmentedControl
          aria-label="How to enter the arguments"
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          value={mode}
          onChange={switchTo}
          disabled={problem !== null}
          w="fit-content"
        />
        {mode === 'form' && fields.length === 0 && <Text size="sm">{noFields}</Text>}
        {mode === 'form' && <Fields fields={fields} value={args} onChange={setArgs} />}
        {mode === 'json' && <JsonEditor label="Arguments" text={json} problem={problem} onChange={setJson} />}
        <Group>
          <Button type="submit" disabled={isRunning || problem !== null || obstacle !== null}>
            {label}
          </Button>
          {children}
          {obstacle && <Text size="sm">{obstacle}</Text>}
        </Group>
      </Stack>
    </form>
  );
}
