import { Text, UnstyledButton } from '@mantine/core';
import { EmptyState } from '../../../components/EmptyState';
import { LoadMore, type Pages } from '../../../components/LoadMore';
import { countOf, formatTook } from '../../../text/format';
import { StateBadge } from '../RunState';
import type { RunStep, RunSummary } from '../use-runs';
import { durationOf, groupsOf, spanOf, stateOf, type StepGroup } from '../step-rules';
import classes from './Timeline.module.css';

interface TimelineProps {
  run: RunSummary;
  /** The last steps, in the order of their start. */
  steps: readonly RunStep[];
  /** The pages of the steps before them. */
  earlier: Pages;
  now: Date;
  /** Name of the selected step, which is shown in detail; null = none. */
  selected: string | null;
  onSelect: (step: string) => void;
}

/** Shows the latest steps of a run over time, one bar for each attempt, and earlier ones on demand. */
export function Timeline({ run, steps, earlier, now, selected, onSelect }: TimelineProps) {
  if (steps.length === 0) {
    return run.endedAt === null ? (
      <EmptyState title="No steps yet">Steps appear as they happen.</EmptyState>
    ) : (
      <EmptyState title="No steps">Tasks that only change data are done at once, and not recorded.</EmptyState>
    );
  }
  return (
    <>
      <LoadMore pages={earlier} label="Show earlier steps" />
      <ol className={classes.timeline} aria-label="Steps">
        {groupsOf(steps).map((group) => (
          <GroupRow key={group.key} group={group} run={run} now={now} selected={selected} onSelect={onSelect} />
        ))}
      </ol>
    </>
  );
}

interface GroupRowProps extends Omit<TimelineProps, 'steps' | 'earlier'> {
  group: StepGroup;
}

function GroupRow({ group: { label, repetition, steps }, run, now, selected, onSelect }: GroupRowProps) {
  const last = steps.at(-1);
  if (!last) return null;
  const isSelected = steps.some(({ name }) => name === selected);
  return (
    <li>
      <UnstyledButton
        className={classes.row}
        aria-pressed={isSelected}
        data-selected={isSelected || undefined}
        onClick={() => onSelect(last.name)}
      >
        <span className={classes.name}>
          <Text span size="sm" fw={600} className={classes.label}>
            {label}
          </Text>
          <Text span size="xs" c="dimmed">
            {[repetition, steps.length > 1 && countOf(steps.length, 'attempt')].filter(Boolean).join(', ')}
          </Text>
        </span>
        <span className={classes.track} aria-hidden>
          {steps.map((step) => {
            const { begin, length } = spanOf(step, run, now);
            const style = { insetInlineStart: `${begin}%`, width: `${length}%` };
            return <span key={step.name} className={classes.bar} data-state={stateOf(step)} style={style} />;
          })}
        </span>
        <Text span size="xs" className={classes.duration}>
          {formatTook(durationOf(last, now))}
        </Text>
        <StateBadge state={stateOf(last)} />
      </UnstyledButton>
    </li>
  );
}
