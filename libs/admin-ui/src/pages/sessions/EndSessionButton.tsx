import { Button } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { showDone, showError } from '../../components/notices';
import { type Session, useEndSession } from './use-sessions';

export function EndSessionButton({ session }: { session: Session }) {
  const end = useEndSession();
  const program = session.clientName ?? 'the program';
  const ask = () =>
    confirm({
      title: 'End this session?',
      text: `Running calls of ${program} are cut off. Most programs open a new session with their next request; to keep a program out, change its key.`,
      confirm: 'End session',
      onConfirm: () =>
        end.mutate(session.id, { onSuccess: () => showDone('The session has ended.'), onError: showError }),
    });
  return (
    <Button
      size="xs"
      variant="default"
      loading={end.isPending}
      onClick={ask}
      aria-label={`End session ${session.id.slice(0, 8)}`}
    >
      End session
    </Button>
  );
}
