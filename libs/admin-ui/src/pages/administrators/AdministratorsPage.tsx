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
        title="Administrators"
        about="Who may administer this service. Give each person and each script an account."
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
