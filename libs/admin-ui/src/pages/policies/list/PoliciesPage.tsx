import { Button, Stack, Text } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { Columns } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { Changed } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { SearchField } from '../../../components/SearchField';
import { TablePanel } from '../../../components/TablePanel';
import { TextLink } from '../../../components/TextLink';
import { useFoundRows } from '../../../components/use-found-rows';
import { Effect } from '../Effect';
import { summaryOf } from '../policy-text';
import { PolicySwitch } from '../PolicySwitch';
import { PolicyTrial } from '../trial/PolicyTrial';
import { type Policy, usePolicies } from '../use-policies';

const COLUMNS: Columns<Policy> = {
  Policy: ({ name, policy }) => (
    <div>
      <TextLink to={`/policies/${name}`}>{name}</TextLink>
      <Summary policy={policy} />
    </div>
  ),
  Effect: (policy) => <Effect policy={policy} />,
  Changed: ({ updatedAt, updatedBy }) => <Changed at={updatedAt} by={updatedBy} />,
  Enabled: (policy) => <PolicySwitch policy={policy} />,
};

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
        <TablePanel
          label="Policies"
          query={query}
          columns={COLUMNS}
          rows={found}
          keyOf={({ name }) => name}
          pages={pages}
          empty={
            <EmptyState title={settledSearch ? 'No policy found' : 'No policies'}>
              {settledSearch
                ? 'Try a shorter search.'
                : 'Everything is refused. Add a policy that permits what clients need.'}
            </EmptyState>
          }
        />
        <PolicyTrial about="What the policies that are enabled say about a call." />
      </Stack>
    </>
  );
}

function Summary({ policy }: { policy: string }) {
  const { text, isCode } = summaryOf(policy);
  return (
    <Text size={isCode ? 'xs' : 'sm'} c="dimmed" lineClamp={2} {...(isCode && { ff: 'monospace' })}>
      {text}
    </Text>
  );
}
