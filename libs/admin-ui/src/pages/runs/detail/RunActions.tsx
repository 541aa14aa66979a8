import { Button, Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { confirm } from '../../../components/confirm';
import { onFirstClick } from '../../../components/first-click';
import { showDone, showError, showOutcome } from '../../../components/notices';
import { newVersionOf } from '../new-version';
import { type FullRun, isRepeatable, useCancelRun, useRepeat } from '../use-runs';

export function RunActions({ run }: { run: FullRun }) {
  const navigate = useNavigate();
  const cancel = useCancelRun(run.id);
  const repeat = useRepeat(run.id);
  const askToCancel = () =>
    confirm({
      title: 'Cancel this run?',
      text: 'Finished steps are not undone. A cancelled run does not continue.',
      confirm: 'Cancel run',
      cancel: 'Let it run',
      onConfirm: () => showOutcome(cancel.mutateAsync(), 'The run is cancelled.'),
    });
  const newVersion = newVersionOf(run);
  const again = (version: 'own' | 'current') =>
    repeat.mutate(
      { version },
      {
        onSuccess: ({ id }) => {
          showDone('A new run has started with the same input.');
          void navigate(`/runs/${encodeURIComponent(id)}`);
        },
        onError: showError,
      },
    );
  if (run.endedAt === null)
    return (
      <Button variant="default" loading={cancel.isPending} onClick={askToCancel}>
        Cancel run
      </Button>
    );
  if (!isRepeatable(run)) return null;
  return (
    <Group gap="xs">
      <Button variant="default" loading={repeat.isPending} onClick={onFirstClick(() => again('own'))}>
        Run again
      </Button>
      {newVersion !== null && (
        <Button variant="default" loading={repeat.isPending} onClick={onFirstClick(() => again('current'))}>
          {`Run again with version ${newVersion}`}
        </Button>
      )}
    </Group>
  );
}
