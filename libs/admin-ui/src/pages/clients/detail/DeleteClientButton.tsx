import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { confirm } from '../../../components/confirm';
import { showDone, showError } from '../../../components/notices';
import { useDeleteClient } from '../use-clients';

export function DeleteClientButton({ name }: { name: string }) {
  const remove = useDeleteClient(name);
  const navigate = useNavigate();
  const deleted = async () => {
    await navigate('/clients', { replace: true });
    showDone(`${name} is deleted.`);
  };
  const ask = () =>
    confirm({
      title: `Delete ${name}?`,
      text: "Its keys, sessions, streams and running calls end at once. They can't be recovered.",
      confirm: 'Delete client',
      onConfirm: () => remove.mutate(undefined, { onSuccess: () => void deleted(), onError: showError }),
    });
  return (
    <Button variant="default" loading={remove.isPending} onClick={ask}>
      Delete
    </Button>
  );
}
