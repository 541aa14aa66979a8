import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { Facts } from '../../components/Facts';
import { Ago } from '../../components/Moment';
import { showError } from '../../components/notices';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { Section } from '../../components/Section';
import { AdminSessionsTable } from '../administrators/AdminSessionsTable';
import { ROLE_OPTIONS } from '../administrators/role-options';
import { BUILT_IN } from '../administrators/use-administrators';
import { OwnIdentities } from './OwnIdentities';
import { PasswordForm } from './PasswordForm';
import { useAccount, useEndOwnSession, useLogOutEverywhere, useOwnSessions } from './use-account';
import { GrantsTable } from '../programs/GrantsTable';
import { useEndOwnGrant, useOwnGrants } from '../programs/use-programs';

export default function AccountPage() {
  const query = useAccount();
  const account = query.data;
  return (
    <>
      <PageHeader
        title="Your account"
        about="Your role, your password, the programs that act for you, and where you are logged in."
      />
      <Stack>
        <QueryState query={query} />
        {account && (
          <>
            <Paper withBorder p="md">
              <Facts
                facts={{
                  Name: account.name,
                  Role: ROLE_OPTIONS.find(({ value }) => value === account.role)?.label,
                  'Last login': account.lastLoginAt && <Ago at={account.lastLoginAt} />,
                }}
              />
            </Paper>
            {!account.hasPassword ? (
              <Section title="Password">
                <Text size="sm">You log in by single sign-on, without a password of this service.</Text>
              </Section>
            ) : account.hasFixedPassword ? (
              <Section title="Password">
                <Text size="sm">
                  The environment variable ADMIN_PASSWORD sets your password. Change it there and restart the service.
                </Text>
              </Section>
            ) : (
              <PasswordForm user={account.name} />
            )}
            <OwnIdentities mayConnect={account.hasPassword && account.name !== BUILT_IN} />
          </>
        )}
        <OwnPrograms />
        <OwnSessions />
      </Stack>
    </>
  );
}

function OwnSessions() {
  const query = useOwnSessions();
  const sessions = query.data;
  const end = useEndOwnSession();
  const everywhere = useLogOutEverywhere();
  const ask = () =>
    confirm({
      title: 'Log out everywhere?',
      text: 'All your sessions end, this one included.',
      confirm: 'Log out everywhere',
      onConfirm: () => everywhere.mutate(undefined, { onError: showError }),
    });
  return (
    <Section title="Sessions" about="The browsers in which you are logged in. End those that you do not know.">
      <QueryState query={query} />
      {sessions && <AdminSessionsTable sessions={sessions} end={end} />}
      <Group mt="md">
        <Button variant="default" loading={everywhere.isPending} onClick={ask}>
          Log out everywhere
        </Button>
      </Group>
    </Section>
  );
}

/** The programs that may act for the person. */
function OwnPrograms() {
  const query = useOwnGrants();
  const grants = query.data;
  const end = useEndOwnGrant();
  return (
    <Section title="Programs" about="The programs that may act for you. Revoke those that you do not use or know.">
      <QueryState query={query} />
      {grants?.length === 0 && <Text size="sm">You have not signed in with any program.</Text>}
      {grants && grants.length > 0 && <GrantsTable grants={grants} mayEnd end={end} />}
    </Section>
  );
}
