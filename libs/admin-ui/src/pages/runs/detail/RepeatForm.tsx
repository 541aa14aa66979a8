import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { JsonEditor } from '../../../components/arguments-form/JsonEditor';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { showDone } from '../../../components/notices';
import { parseJson } from '../../../json-schema/arguments';
import { newVersionOf } from '../new-version';
import { type FullRun, type RunStep, useRepeat, useTestTask } from '../use-runs';

/** Executes a step again, with an input that may be edited: in a repetition of its run, or on its own, as a test. */
export function RepeatForm({ run, step }: { run: FullRun; step: RunStep }) {
  const navigate = useNavigate();
  const [text, setText] = useState(() => JSON.stringify(step.input, null, 2));
  const repeat = useRepeat(run.id);
  const test = useTestTask(run.name);
  const parsed = parseJson(text);
  const show = (done: string) => (started: { id: string }) => {
    showDone(done);
    void navigate(`/runs/${encodeURIComponent(started.id)}`);
  };
  const repeatBy = (version: 'own' | 'current') => {
    if (!('value' in parsed)) return;
    const from = { step: step.name, input: parsed.value, version };
    repeat.mutate(from, { onSuccess: show('A new run continues from this step.') });
  };
  const newVersion = newVersionOf(run);
  const error = repeat.error ?? test.error;
  return (
    <Form onSubmit={() => repeatBy('own')}>
      <Stack gap="sm">
        <JsonEditor
          label="Run again with this input"
          description="A new run reuses the results of the steps before this one. A test executes only this task, with real effects."
          text={text}
          problem={'problem' in parsed ? parsed.problem : null}
          onChange={setText}
        />
        {error && <ErrorNotice error={error} />}
        <Group gap="xs">
          <Button type="submit" variant="default" disabled={'problem' in parsed} loading={repeat.isPending}>
            Run again from here
          </Button>
          {newVersion !== null && (
            <Button
              variant="default"
              disabled={'problem' in parsed}
              loading={repeat.isPending}
              onClick={() => repeatBy('current')}
            >
              {`From here with version ${newVersion}`}
            </Button>
          )}
          {run.program === 'workflow' && (
            <Button
              variant="default"
              disabled={'problem' in parsed}
              loading={test.isPending}
              onClick={() =>
                'value' in parsed &&
                test.mutate({ task: step.task, input: parsed.value }, { onSuccess: show('The task runs as a test.') })
              }
            >
              Test this task alone
            </Button>
          )}
        </Group>
      </Stack>
    </Form>
  );
}
