import { Button } from '@mantine/core';
import { confirm } from '../../../components/confirm';
import { showDone, showError } from '../../../components/notices';
import { countOf, formatNumber } from '../../../text/format';
import { describeFilter, type RunFilter } from '../run-filter';
import { MOST_REPEATED, useCountRepeated, useRepeatAll } from '../use-runs';

interface RepeatAllButtonProps {
  filter: RunFilter;
  /** The version of the workflows to use. */
  version: 'own' | 'current';
}

/** Repeats all runs of the list, after showing their number. */
export function RepeatAllButton({ filter, version }: RepeatAllButtonProps) {
  const count = useCountRepeated();
  const repeat = useRepeatAll(version);
  const by = version === 'own' ? 'the version that it had' : 'the current version of its workflow';
  const ask = (runs: number) => {
    if (runs === 0) return showError(new Error('Only parts of other runs are shown. Run those again instead.'));
    const most = runs === MOST_REPEATED ? 'The latest ' : '';
    confirm({
      title: `Run ${countOf(runs, 'run')} again?`,
      text: `${most}${countOf(runs, 'new run')} will start, each with the input that it had, by ${by}, and with real effects. Chosen are: ${describeFilter(filter)}.`,
      confirm: `Run ${countOf(runs, 'run')} again`,
      onConfirm: () =>
        repeat.mutate(filter, {
          onSuccess: ({ started, failed, problem }) => {
            const done = `${countOf(started, 'run')} started.`;
            if (problem === null) showDone(done);
            else showError(new Error(`${done} ${formatNumber(failed)} could not be started. The first: ${problem}`));
          },
          onError: showError,
        }),
    });
  };
  return (
    <Button
      variant="default"
      loading={count.isPending || repeat.isPending}
      onClick={() => count.mutate(filter, { onSuccess: ask, onError: showError })}
    >
      {version === 'own' ? 'Run all of these again' : 'Again by the current versions'}
    </Button>
  );
}
