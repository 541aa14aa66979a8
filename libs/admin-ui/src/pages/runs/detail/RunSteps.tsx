import { Grid } from '@mantine/core';
import { useState } from 'react';
import { Diagram } from '../../../components/diagram/Diagram';
import { nodeIdOf } from '../../../components/diagram/node-id';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { type FullRun, isRepeatable, type RunStep, useSteps, useWholeStep } from '../use-runs';
import { Timeline } from './Timeline';
import { OnlyFor } from '../../../components/OnlyFor';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { labelOf } from '../step-rules';
import { RepeatForm } from './RepeatForm';
import { StepDetails } from './StepDetails';

/** Shows the progress of a run: in the diagram of its workflow, on a timeline, and one step in detail. */
export function RunSteps({ run, now }: { run: FullRun; now: Date }) {
  const [selected, select] = useState<string | null>(null);
  const { tasks, diagram } = run;
  const pages = useSteps(run.id, run.endedAt !== null);
  const steps = pages.data?.items.toReversed();
  const step = steps?.find(({ name }) => name === selected);
  const states = tasks.map(({ task, state }) => [nodeIdOf(task), state] as const);
  return (
    <>
      <Section title="Steps" about="Choose a step to see its input and output.">
        <QueryState query={pages} />
        {steps && <Timeline run={run} steps={steps} earlier={pages} now={now} selected={selected} onSelect={select} />}
      </Section>
      <Grid>
        {step && (
          <Grid.Col span={{ base: 12, md: diagram === null ? 12 : 7 }}>
            <StepSection key={step.name} run={run} step={step} now={now} />
          </Grid.Col>
        )}
        {diagram !== null && (
          <Grid.Col span={{ base: 12, md: step ? 5 : 12 }}>
            <Section title="Diagram">
              <Diagram label={`Flowchart of ${run.name}`} flowchart={diagram} states={Object.fromEntries(states)} />
            </Section>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

/** Shows one step of a run, with its whole input and output. */
function StepSection({ run, step, now }: { run: FullRun; step: RunStep; now: Date }) {
  const whole = useWholeStep(run.id, step);
  const shown = step.isCut ? whole.data : step;
  return (
    <Section title={`Step ${labelOf(step)}`}>
      {whole.error && <ErrorNotice error={whole.error} onRetry={() => void whole.refetch()} />}
      {!shown && !whole.error && <LoadingLines />}
      {shown && (
        <StepDetails step={shown} now={now}>
          {shown.endedAt !== null && isRepeatable(run) && (
            <OnlyFor role="editor">
              <RepeatForm run={run} step={shown} />
            </OnlyFor>
          )}
        </StepDetails>
      )}
    </Section>
  );
}
