import { Button } from '@mantine/core';
import { confirm } from '../../../components/confirm';
import { showDone, showError } from '../../../components/notices';
import { countOf, formatNumber } from '../../../text/format';
import { describeFilter, type RunFilter } from '../run-filter';
import { MOST_REPEATED, useCountRepeated, useRepeatAll } from '../use-runs';

/** Starts all runs of the list again, after it has said how many they are. */
export function RepeatAllButton({ filter }: { filter: RunFilter }) {
  const count = useCountRepeated();
  const repeat = useRepeatAll();
  const ask = (runs: number) => {
    if (runs === 0) return showError(new Error('Only parts of other runs are shown. Run those again instead.'));
    const most = runs === MOST_REPEATED ? 'The latest ' : '';
    confirm({
      title: `Run ${countOf(runs, 'run')} again?`,
      text: `${most}${countOf(runs, 'new run')} will start, each with the input that it had, and with real effects. Chosen are: ${describeFilter(filter)}.`,
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
      Run all of these again
    </Button>
  );
}
