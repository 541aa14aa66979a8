import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { confirm } from '../../../components/confirm';
import { showDone, showError } from '../../../components/notices';
import { type FullDocument, useDeleteDocument } from '../use-knowledge';

export function DeleteDocumentButton({ document: { id, title } }: { document: FullDocument }) {
  const navigate = useNavigate();
  const remove = useDeleteDocument(id);
  const ask = () =>
    confirm({
      title: 'Delete this document?',
      text: `Assistants will no longer find “${title}”. This cannot be undone.`,
      confirm: 'Delete document',
      onConfirm: () =>
        remove.mutate(undefined, {
          onSuccess: () => {
            showDone(`${title} is deleted.`);
            void navigate('/knowledge');
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
