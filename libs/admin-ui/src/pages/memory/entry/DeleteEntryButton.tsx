import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { confirm } from '../../../components/confirm';
import { showDone, showError } from '../../../components/notices';
import { WITHOUT_ASKING } from '../../../components/use-unsaved-changes';
import { type MemoryEntry, useDeleteEntry } from '../use-memory';

export function DeleteEntryButton({ entry }: { entry: MemoryEntry }) {
  const navigate = useNavigate();
  const remove = useDeleteEntry(entry);
  const ask = () =>
    confirm({
      title: 'Delete this entry?',
      text: `${entry.key} is forgotten, with its history. It can't be brought back.`,
      confirm: 'Delete entry',
      onConfirm: () =>
        remove.mutate(undefined, {
          onSuccess: () => {
            showDone(`${entry.key} is forgotten.`);
            void navigate('/memory', { ...WITHOUT_ASKING, replace: true });
          },
          onError: showError,
        }),
    });
  return (
    <Button variant="default" loading={remove.isPending} onClick={ask}>
      Delete
    </Button>
  );
}
