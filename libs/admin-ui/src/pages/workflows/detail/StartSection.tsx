import { Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { ArgumentsForm } from '../../../components/arguments-form/ArgumentsForm';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Section } from '../../../components/Section';
import { type FullWorkflow, useStartWorkflow } from '../use-workflows';

const ANY_INPUT = { type: 'object' };
const EVENT = {
  type: 'object',
  properties: { type: { type: 'string' }, source: { type: 'string' }, data: { type: 'object' } },
  required: ['type'],
};

/** Starts the workflow, with an input from a form generated from its schema, or with an event if events start it. */
export function StartSection({ workflow }: { workflow: FullWorkflow }) {
  const { name, inputSchema, exampleEvent, problems } = workflow;
  const navigate = useNavigate();
  const start = useStartWorkflow(name);
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  const about = exampleEvent
    ? 'Starts a run as if this event had happened; no other workflow receives it. The run has real effects.'
    : 'Starts a run as the administrator. The run has real effects.';
  return (
    <Section title={exampleEvent ? 'Try it with an event' : 'Start it'} about={about}>
      <Stack gap="sm">
        {start.error && <ErrorNotice error={start.error} />}
        <ArgumentsForm
          schema={exampleEvent ? EVENT : (inputSchema ?? ANY_INPUT)}
          {...(exampleEvent && { initial: exampleEvent })}
          submit="Start"
          noFields="This workflow declares no input."
          obstacle={hasErrors ? 'Fix the errors of the definition to start it.' : null}
          isRunning={start.isPending}
          onRun={(entered) =>
            start.mutate(exampleEvent ? { event: entered } : { input: entered }, {
              onSuccess: ({ id }) => void navigate(`/runs/${encodeURIComponent(id)}`),
            })
          }
        />
      </Stack>
    </Section>
  );
}
