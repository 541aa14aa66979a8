import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { confirm } from '../../../components/confirm';
import { showDone, showError } from '../../../components/notices';
import { useDeleteWorkflow } from '../use-workflows';

export function DeleteWorkflowButton({ name }: { name: string }) {
  const navigate = useNavigate();
  const remove = useDeleteWorkflow(name);
  const ask = () =>
    confirm({
      title: 'Delete this workflow?',
      text: `Clients will no longer see the tool ${name}. Its runs stay. This cannot be undone.`,
      confirm: 'Delete workflow',
      onConfirm: () =>
        remove.mutate(undefined, {
          onSuccess: () => {
            showDone(`${name} is deleted.`);
            void navigate('/workflows', { replace: true });
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
