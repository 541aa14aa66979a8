import { Alert, Stack, Text, Title } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { Facts } from '../../../components/Facts';
import { JsonBlock } from '../../../components/JsonBlock';
import { Until } from '../../../components/Moment';
import { TextLink } from '../../../components/TextLink';
import { formatDate, formatTook } from '../../../text/format';
import { StateBadge } from '../RunState';
import type { RunProblem, RunStep } from '../use-runs';
import { durationOf, stateOf } from '../step-rules';

const KINDS: Record<RunStep['kind'], string> = {
  effect: 'Executes a task',
  sleep: 'Waits for a time',
  event: 'Waits for an event',
  question: 'Asks a person',
  child: 'Runs another workflow',
  concurrent: 'Runs branches at the same time',
  input: 'Its input was changed',
};

interface StepDetailsProps {
  step: RunStep;
  now: Date;
  /** Actions for the step. */
  children?: ReactNode;
}

/** Shows the input and output of a step. */
export function StepDetails({ step, now, children }: StepDetailsProps) {
  const { name, kind, attempt, starts, child, wakeAt, startedAt, endedAt, input, output, error } = step;
  return (
    <Stack gap="sm">
      <Facts
        facts={{
          State: <StateBadge state={stateOf(step)} />,
          Step: <code>{name}</code>,
          Kind: KINDS[kind],
          Attempt: attempt > 1 ? attempt : null,
          Begun: starts > 1 ? `${starts} times, because the service stopped during it` : null,
          Started: formatDate(new Date(startedAt)),
          [endedAt ? 'Took' : 'Takes']: formatTook(durationOf(step, now)),
          Continues: wakeAt && endedAt === null ? <Until at={wakeAt} /> : null,
          Run: child && <TextLink to={`/runs/${encodeURIComponent(child)}`}>{child}</TextLink>,
        }}
      />
      {error && <ProblemNotice problem={error} />}
      <Labelled title="Input" value={input} />
      {step.status === 'completed' && <Labelled title="Output" value={output} />}
      {children}
    </Stack>
  );
}

function Labelled({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <JsonBlock label={`${title} of the step`} value={value} />
    </div>
  );
}

/** Shows an error of a workflow (RFC 7807). */
export function ProblemNotice({ problem }: { problem: RunProblem }) {
  const { title, detail, type, status, instance } = problem;
  return (
    <Alert color="red" icon={<AlertIcon aria-hidden />} title={title ?? 'It failed'}>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {detail ?? type}
      </Text>
      <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {[instance && `at ${instance}`, `status ${status}`, detail && type].filter(Boolean).join(' · ')}
      </Text>
    </Alert>
  );
}
