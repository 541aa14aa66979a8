import { Button, Paper, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { isGone } from '../../api/api-error';
import { confirm } from '../../components/confirm';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { LoadingLines } from '../../components/LoadingLines';
import { showOutcome } from '../../components/notices';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { Section } from '../../components/Section';
import { TextLink } from '../../components/TextLink';
import { IdentitiesTable } from '../account/IdentitiesTable';
import { useIdentities, useRemoveIdentity } from '../account/use-identities';
import { AccountForm } from './AccountForm';
import { AdminSessionsTable } from './AdminSessionsTable';
import { useAdministrator, useAdminSessions, useEndAdminSession, useEndAdminSessions } from './use-administrators';

/** Shows an account and its sessions. */
export default function AdministratorPage() {
  const { name = '' } = useParams();
  const account = useAdministrator(name);
  const { data: sessions, error, isPending, refetch } = useAdminSessions(name);
  const end = useEndAdminSession(name);
  const endAll = useEndAdminSessions(name);
  const askToEndAll = () =>
    confirm({
      title: `End all sessions of ${name}?`,
      text: 'Whoever uses this account in a browser has to log in again. Scripts that send its password keep working.',
      confirm: 'End all sessions',
      onConfirm: () => showOutcome(endAll.mutateAsync(), 'The sessions have ended.'),
    });
  return (
    <>
      <TextLink to="/administrators">All accounts</TextLink>
      <PageHeader
        title={name}
        about="The groups of this account, and the browsers in which it is logged in."
        actions={
          sessions &&
          sessions.length > 0 && (
            <Button variant="default" loading={endAll.isPending} onClick={askToEndAll}>
              End all sessions
            </Button>
          )
        }
      />
      <Stack>
        <QueryState query={account} />
        {account.data && <AccountForm key={account.data.name} account={account.data} />}
        <Identities name={name} />
        {error && !account.error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {isPending && !account.isPending && <LoadingLines />}
        {sessions && (
          <Paper withBorder p="md">
            {sessions.length > 0 ? (
              <AdminSessionsTable sessions={sessions} end={end} />
            ) : (
              <EmptyState title="No active sessions">Nobody is signed in to this account.</EmptyState>
            )}
          </Paper>
        )}
      </Stack>
    </>
  );
}

/** Lists the provider identities of the owner of the account; empty if there are none. */
function Identities({ name }: { name: string }) {
  const { data: identities = [], error, refetch } = useIdentities(name);
  const remove = useRemoveIdentity(name);
  if (error && !isGone(error)) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (identities.length === 0) return null;
  return (
    <Section title="Single sign-on" about="The identities at providers that log in to this account.">
      <IdentitiesTable identities={identities} remove={remove} />
    </Section>
  );
}
