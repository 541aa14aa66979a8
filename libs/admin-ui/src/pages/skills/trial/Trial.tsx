import { Button, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { ArgumentsForm } from '../../../components/arguments-form/ArgumentsForm';
import { confirm } from '../../../components/confirm';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { JsonBlock } from '../../../components/JsonBlock';
import { Section } from '../../../components/Section';
import type { Json, Message } from '../../../mcp/json-rpc';
import type { Skill } from '../use-skills';
import { outcomeOf, progressOf, type TrialState } from './trial-state';
import { TrialResult } from './TrialResult';
import { useTrial } from './use-trial';

/** Calls the skill as an administrator, and shows all messages of the call. */
export function Trial({ skill }: { skill: Skill }) {
  const { state, error, run, cancel } = useTrial(skill.name);
  const isRunning = state?.status === 'running';
  const outcome = state && outcomeOf(state);
  const ask = (args: Json) => {
    if (skill.annotations?.['destructiveHint'] !== true) return run(args);
    confirm({
      title: `Run ${skill.name}?`,
      text: 'This skill may delete or overwrite what is there. The call is real, and cannot be undone.',
      confirm: 'Run it',
      onConfirm: () => run(args),
    });
  };
  return (
    <Stack>
      <Section
        title="Try it"
        about="Calls the skill as the administrator. The call has real effects; it is not counted as a call of a client."
      >
        <ArgumentsForm
          schema={skill.inputSchema ?? {}}
          submit="Run"
          noFields="This skill takes no arguments."
          obstacle={skill.enabled ? null : 'Enable the skill to try it.'}
          isRunning={isRunning}
          onRun={ask}
        >
          {isRunning && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
        </ArgumentsForm>
      </Section>
      {state && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Section title="Result">
            <Stack gap="sm">
              {isRunning && <TrialProgress state={state} />}
              {error && <ErrorNotice error={error} />}
              {state.status === 'cancelled' && !error && <Text size="sm">Cancelled. The skill was asked to stop.</Text>}
              {outcome && <TrialResult outcome={outcome} />}
            </Stack>
          </Section>
          <Section title="JSON-RPC exchange">
            <Stack gap="xs">
              <Text size="sm">Sent</Text>
              <JsonBlock label="Sent" value={state.sent} />
              <Text size="sm">Received</Text>
              <JsonBlock label="Received" value={state.received.map(toText).join('\n')} />
            </Stack>
          </Section>
        </SimpleGrid>
      )}
    </Stack>
  );
}

const toText = (message: Message) => JSON.stringify(message, null, 2);

function TrialProgress({ state }: { state: TrialState }) {
  const progress = progressOf(state);
  const percent = progress?.total ? Math.min(100, (progress.done / progress.total) * 100) : null;
  return (
    <Stack gap={6} role="status">
      <Progress.Root size="lg">
        <Progress.Section
          role="progressbar"
          aria-label="Progress of the call"
          aria-valuetext={percent === null ? 'Running' : `${Math.round(percent)} %`}
          value={percent ?? 100}
          animated
        />
      </Progress.Root>
      <Text size="sm">{progress?.message ?? 'Running…'}</Text>
    </Stack>
  );
}
