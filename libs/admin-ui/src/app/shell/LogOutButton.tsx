import { Button } from '@mantine/core';
import { useLogOut } from '../../api/session';
import { showError } from '../../components/notices';

export function LogOutButton() {
  const logOut = useLogOut();
  return (
    <Button
      variant="default"
      loading={logOut.isPending}
      onClick={() => logOut.mutate(undefined, { onError: showError })}
    >
      Log out
    </Button>
  );
}
