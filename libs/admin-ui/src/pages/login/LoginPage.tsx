import { Alert, Button, Center, Divider, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { useLogIn } from '../../api/session';
import { messageOf } from '../../components/ErrorNotice';
import { Form } from '../../components/Form';
import { hasUnsavedChanges } from '../../components/use-unsaved-changes';
import { pathAfterLogin, loginErrorIn } from './login-error';
import { useLoginChoices } from './use-login-choices';

const SIGN_IN_PAGES = '/admin/sign-in/';

export function LoginPage() {
  const logIn = useLogIn();
  const isForProgram = window.location.pathname.startsWith(SIGN_IN_PAGES);
  const [user, setUser] = useState(isForProgram ? '' : 'admin');
  const [password, setPassword] = useState('');
  const [waitSeconds, startWait] = useCountdown();

  const submit = () =>
    logIn.mutate(
      { user, password },
      {
        onError: (error) => {
          if (error instanceof ApiError && error.retryAfterSeconds) startWait(error.retryAfterSeconds);
        },
      },
    );
  return (
    <Center component="main" mih="100dvh" p="md">
      <title>Log in · Agent Service</title>
      <Paper component={Form} onSubmit={submit} withBorder shadow="sm" p="xl" w="100%" maw={400}>
        <Stack>
          <div>
            <Title order={1} size="h2">
              Agent Service
            </Title>
            <Text c="dimmed">
              {isForProgram && 'A program asks to work for you. You decide on the next page. '}
              Log in with your account.
            </Text>
          </div>
          <LoginButtons />
          <TextInput
            label="Name"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            maxLength={40}
            autoFocus={isForProgram}
            value={user}
            onChange={(event) => setUser(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            description="For admin: ADMIN_PASSWORD, or the password shown when the service first started."
            name="password"
            autoComplete="current-password"
            autoFocus={!isForProgram}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {logIn.error && (
            <Alert role="alert" color="red">
              {messageOf(logIn.error)}
            </Alert>
          )}
          <Button type="submit" loading={logIn.isPending} disabled={user === '' || password === '' || waitSeconds > 0}>
            Log in
          </Button>
          {waitSeconds > 0 && <Text size="sm">You can try again in {waitSeconds} s.</Text>}
        </Stack>
      </Paper>
    </Center>
  );
}

/** Counts down the seconds of a wait; returns the remaining seconds and a function that starts it. */
function useCountdown(): [left: number, start: (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setLeft((before) => before - 1), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return [left, setLeft];
}

/** Offers the providers for logging in, and shows why the last login at one failed. */
function LoginButtons() {
  const { data } = useLoginChoices();
  // The page of a provider would replace the page behind this form.
  const [isNewTab] = useState(hasUnsavedChanges);
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
        <Button
          key={name}
          component="a"
          href={`/admin/api/sso/${name}/start?to=${to}`}
          variant="default"
          {...(isNewTab && { target: '_blank' })}
        >
          Log in with {title}
        </Button>
      ))}
      {items.length > 0 && isNewTab && (
        <Text size="sm">
          You have unsaved changes, so this opens a new tab. Log in there, then come back to this tab.
        </Text>
      )}
      {items.length > 0 && <Divider label="or with a password" />}
      {onlyAdminHasPassword && (
        <Text size="sm" c="dimmed">
          Only the account admin may use a password.
        </Text>
      )}
    </Stack>
  );
}
