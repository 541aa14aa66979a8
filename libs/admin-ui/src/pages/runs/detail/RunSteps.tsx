import { Grid, Text } from '@mantine/core';
import { useState } from 'react';
import { Diagram } from '../../../components/diagram/Diagram';
import { nodeIdOf } from '../../../components/diagram/node-id';
import { Section } from '../../../components/Section';
import { taskStatesOf } from '../step-rules';
import type { FullRun } from '../run-types';
import { StepSection } from './StepSection';
import { Timeline } from './Timeline';

/** Shows the progress of a run: in the diagram of its workflow, on a timeline, and one step in detail. */
export function RunSteps({ run, now }: { run: FullRun; now: Date }) {
  const [selected, select] = useState<string | null>(null);
  const { steps, diagram } = run;
  const step = steps.find(({ name }) => name === selected);
  const states = Object.entries(taskStatesOf(run, steps)).map(([task, state]) => [nodeIdOf(task), state] as const);
  return (
    <>
      <Section title="Steps" about="Choose a step to see what went in and out.">
        <Timeline run={run} steps={steps} now={now} selected={selected} onSelect={select} />
        {run.hasMoreSteps && <Text size="sm">The run has more steps than are shown here.</Text>}
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
