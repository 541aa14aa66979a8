import { Button, Paper, Stack } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../../components/EmptyState';
import { LoadMore } from '../../../components/LoadMore';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { SearchField } from '../../../components/SearchField';
import { useFoundRows } from '../../../components/use-found-rows';
import { PolicyTrial } from '../trial/PolicyTrial';
import { type Policy, usePolicies } from '../use-policies';
import { PoliciesTable } from './PoliciesTable';

const textsOf = ({ name, policy }: Policy) => [name, policy];

export default function PoliciesPage() {
  const query = usePolicies();
  const { search, setSearch, settledSearch, found, pages } = useFoundRows(query.data, textsOf);
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
        <SearchField
          label="Search policies"
          placeholder="Part of a name or of the text"
          value={search}
          onChange={setSearch}
        />
        <QueryState query={query} />
        {found && (
          <Paper withBorder p="md">
            {found.length > 0 ? (
              <PoliciesTable policies={found} />
            ) : (
              <EmptyState title={settledSearch ? 'No policy found' : 'No policies'}>
                {settledSearch
                  ? 'Try a shorter search.'
                  : 'Everything is refused. Add a policy that permits what clients need.'}
              </EmptyState>
            )}
            <LoadMore pages={pages} />
          </Paper>
        )}
        <PolicyTrial about="What the policies that are enabled say about a call." />
      </Stack>
    </>
  );
}
