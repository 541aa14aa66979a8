import { Paper, Stack } from '@mantine/core';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { AddAdministratorForm } from './AddAdministratorForm';
import { AdministratorsTable } from './AdministratorsTable';
import { useAdministrators } from './use-administrators';

export default function AdministratorsPage() {
  const query = useAdministrators();
  const administrators = query.data;
  return (
    <>
      <PageHeader
        title="Accounts"
        about="The people of your team, and the scripts that administer this service. Give each an account of its own."
      />
      <Stack>
        <AddAdministratorForm />
        <QueryState query={query} />
        {administrators && (
          <Paper withBorder p="md">
            <AdministratorsTable administrators={administrators} />
          </Paper>
        )}
      </Stack>
    </>
  );
}
