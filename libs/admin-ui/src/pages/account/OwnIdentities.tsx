import { Alert, Button, Group, Text } from '@mantine/core';
import { ErrorNotice } from '../../components/ErrorNotice';
import { showError } from '../../components/notices';
import { Section } from '../../components/Section';
import { loginErrorIn } from '../login/login-error';
import { useLoginChoices } from '../login/use-login-choices';
import { IdentitiesTable } from './IdentitiesTable';
import { useConnect, useOwnIdentities, useRemoveOwnIdentity } from './use-identities';

/** @param mayConnect true when the account has a password and is not the built-in one */
export function OwnIdentities({ mayConnect }: { mayConnect: boolean }) {
  const { data: identities = [], error, refetch } = useOwnIdentities();
  const { data: choices } = useLoginChoices();
  const connect = useConnect();
  const remove = useRemoveOwnIdentity();
  const providers = mayConnect ? (choices?.items ?? []) : [];
  const problem = loginErrorIn(window.location.search);
  if (!error && problem === null && identities.length === 0 && providers.length === 0) return null;
  return (
    <Section
      title="Single sign-on"
      about="Your identities at your company's providers. You can log in to this account with them."
    >
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {problem !== null && (
        <Alert role="alert" color="red" mb="sm">
          {problem}
        </Alert>
      )}
      {identities.length > 0 && <IdentitiesTable identities={identities} remove={remove} />}
      {providers.length > 0 && (
        <>
          <Text size="sm" mt="sm">
            The rules of the provider may change your role and groups at each login there.
          </Text>
          <Group mt="sm">
            {providers.map(({ name, title }) => (
              <Button
                key={name}
                variant="default"
                loading={connect.isPending}
                onClick={() => connect.mutate(name, { onError: showError })}
              >
                Connect with {title}
              </Button>
            ))}
          </Group>
        </>
      )}
    </Section>
  );
}
