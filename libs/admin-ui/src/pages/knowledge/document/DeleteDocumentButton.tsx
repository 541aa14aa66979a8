import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { confirm } from '../../../components/confirm';
import { showDone, showError } from '../../../components/notices';
import { type FullDocument, useDeleteDocument } from '../use-knowledge';

export function DeleteDocumentButton({ document }: { document: FullDocument }) {
  const navigate = useNavigate();
  const { title } = document;
  const remove = useDeleteDocument(document);
  const ask = () =>
    confirm({
      title: 'Delete this document?',
      text: `Assistants will no longer find “${title}”. Its history is deleted, too. This cannot be undone.`,
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
