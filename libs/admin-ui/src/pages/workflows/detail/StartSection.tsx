import { Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { ArgumentsForm } from '../../../components/arguments-form/ArgumentsForm';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Section } from '../../../components/Section';
import { type FullWorkflow, useStartWorkflow } from '../use-workflows';

const ANY_INPUT = { type: 'object' };

/** Starts the workflow, with an input entered in a form made from its schema. */
export function StartSection({ workflow: { name, inputSchema, problems } }: { workflow: FullWorkflow }) {
  const navigate = useNavigate();
  const start = useStartWorkflow(name);
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return (
    <Section title="Start it" about="Starts a run as the administrator. The run has real effects.">
      <Stack gap="sm">
        {start.error && <ErrorNotice error={start.error} />}
        <ArgumentsForm
          schema={inputSchema ?? ANY_INPUT}
          submit="Start"
          noFields="This workflow declares no input."
          obstacle={hasErrors ? 'Fix the errors of the definition to start it.' : null}
          isRunning={start.isPending}
          onRun={(input) =>
            start.mutate(input, { onSuccess: ({ id }) => void navigate(`/runs/${encodeURIComponent(id)}`) })
          }
        />
      </Stack>
    </Section>
  );
}
