import { Button, Paper, Stack } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../../components/EmptyState';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { PolicyTrial } from '../trial/PolicyTrial';
import { usePolicies } from '../use-policies';
import { PoliciesTable } from './PoliciesTable';

export default function PoliciesPage() {
  const query = usePolicies();
  const policies = query.data;
  return (
    <>
      <PageHeader
        title="Policies"
        about="What clients may call and read. What no policy permits is refused, and a policy that forbids wins."
        actions={
          <OnlyFor role="admin">
            <Button component={Link} to="/policies/new" leftSection={<PlusIcon size={16} aria-hidden />}>
              New policy
            </Button>
          </OnlyFor>
        }
      />
      <Stack>
        <QueryState query={query} />
        {policies && (
          <Paper withBorder p="md">
            {policies.length > 0 ? (
              <PoliciesTable policies={policies} />
            ) : (
              <EmptyState title="No policies">
                Everything is refused. Add a policy that permits what clients need.
              </EmptyState>
            )}
          </Paper>
        )}
        <PolicyTrial about="What the policies that are enabled say about a call." />
      </Stack>
    </>
  );
}
