import { Alert, Button, Divider, Stack, Text } from '@mantine/core';
import { pathAfterLogin, loginErrorIn } from './login-error';
import { useLoginChoices } from './use-login-choices';

/** Offers the providers for logging in, and shows why the last login at one failed. */
export function LoginButtons() {
  const { data } = useLoginChoices();
  const { items = [], onlyAdminHasPassword = false } = data ?? {};
  const problem = loginErrorIn(window.location.search);
  const to = encodeURIComponent(pathAfterLogin(window.location));
  if (items.length === 0 && problem === null && !onlyAdminHasPassword) return null;
  return (
    <Stack gap="sm">
      {problem !== null && (
        <Alert role="alert" color="red">
          {problem}
        </Alert>
      )}
      {items.map(({ name, title }) => (
        <Button key={name} component="a" href={`/admin/api/sso/${name}/start?to=${to}`} variant="default">
          Log in with {title}
        </Button>
      ))}
      {items.length > 0 && <Divider label="or with a password" />}
      {onlyAdminHasPassword && (
        <Text size="sm" c="dimmed">
          Only the account admin may use a password.
        </Text>
      )}
    </Stack>
  );
}
