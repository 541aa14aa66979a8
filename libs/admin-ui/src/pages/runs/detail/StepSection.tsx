import { OnlyFor } from '../../../components/OnlyFor';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { Section } from '../../../components/Section';
import { type FullRun, isRepeatable, type RunStep, useWholeStep } from '../use-runs';
import { labelOf } from '../step-rules';
import { RepeatForm } from './RepeatForm';
import { StepDetails } from './StepDetails';

/** Shows one step of a run, with its whole input and output. */
export function StepSection({ run, step, now }: { run: FullRun; step: RunStep; now: Date }) {
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
