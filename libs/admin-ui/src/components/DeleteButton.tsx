import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { confirm } from './confirm';
import { showDone, showError } from './notices';
import { WITHOUT_ASKING } from './use-unsaved-changes';

interface DeleteButtonProps {
  children?: string;
  /** What is asked before. */
  title: string;
  text: string;
  confirm: string;
  deletion: {
    mutate: (input: undefined, options: { onSuccess: () => void; onError: (error: unknown) => void }) => void;
    isPending: boolean;
  };
  /** What is said afterwards, on the page that is opened then. */
  done: string;
  to: string;
}

/** Button that deletes the object of a page. */
export function DeleteButton({ children = 'Delete', deletion, done, to, ...question }: DeleteButtonProps) {
  const navigate = useNavigate();
  const leave = async () => {
    await navigate(to, { ...WITHOUT_ASKING, replace: true });
    showDone(done);
  };
  const ask = () =>
    confirm({
      ...question,
      onConfirm: () => deletion.mutate(undefined, { onSuccess: () => void leave(), onError: showError }),
    });
  return (
    <Button variant="default" loading={deletion.isPending} onClick={ask}>
      {children}
    </Button>
  );
}
