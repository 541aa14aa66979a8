import { Paper, Stack } from '@mantine/core';
import { ErrorNotice } from '../../components/ErrorNotice';
import { LoadingLines } from '../../components/LoadingLines';
import { PageHeader } from '../../components/PageHeader';
import { AddAdministratorForm } from './AddAdministratorForm';
import { AdministratorsTable } from './AdministratorsTable';
import { useAdministrators } from './use-administrators';

export default function AdministratorsPage() {
  const { data: administrators, error, isPending, refetch } = useAdministrators();
  return (
    <>
      <PageHeader
        title="Accounts"
        about="The people of your team, and the scripts that administer this service. Give each an account of its own."
      />
      <Stack>
        <AddAdministratorForm />
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {isPending && <LoadingLines />}
        {administrators && (
          <Paper withBorder p="md">
            <AdministratorsTable administrators={administrators} />
          </Paper>
        )}
      </Stack>
    </>
  );
}
