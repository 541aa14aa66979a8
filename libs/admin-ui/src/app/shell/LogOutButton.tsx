import { Button } from '@mantine/core';
import { useLogOut } from '../../api/session';
import { confirm } from '../../components/confirm';
import { showError } from '../../components/notices';
import { discardUnsavedChanges, hasUnsavedChanges } from '../../components/use-unsaved-changes';

export function LogOutButton() {
  const logOut = useLogOut({ onLoggedOut: discardUnsavedChanges });
  const end = () => logOut.mutate(undefined, { onError: showError });
  // Ask before the session ends: a user who stays must be able to save.
  const ask = () =>
    confirm({
      title: 'Log out without saving?',
      text: 'Some changes on this page are not saved. They are lost when you log out.',
      confirm: 'Log out',
      cancel: 'Stay',
      onConfirm: end,
    });
  return (
    <Button variant="default" loading={logOut.isPending} onClick={() => (hasUnsavedChanges() ? ask() : end())}>
      Log out
    </Button>
  );
}
