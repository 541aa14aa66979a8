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
      text: `Assistants will no longer find “${title}”. It can be restored with its history for 30 days.`,
      confirm: 'Delete document',
      onConfirm: () =>
        remove.mutate(undefined, {
          onSuccess: () => {
            showDone(`${title} is deleted. It can be restored under Removed documents.`);
            void navigate('/knowledge', { replace: true });
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
