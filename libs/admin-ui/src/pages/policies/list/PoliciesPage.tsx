import { Stack, Text } from '@mantine/core';
import { type Columns, TablePanel } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { NewButton } from '../../../components/LinkButton';
import { Changed } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { SearchField } from '../../../components/SearchField';
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
  const { field, settledSearch, found, pages } = useFoundRows(query.data, textsOf);
  return (
    <>
      <PageHeader
        title="Policies"
        about="What clients may call and read. What no policy permits is refused, and a policy that forbids wins."
        actions={
          <OnlyFor role="admin">
            <NewButton to="/policies/new">New policy</NewButton>
          </OnlyFor>
        }
      />
      <Stack>
        <SearchField label="Search policies" placeholder="Part of a name or of the text" {...field} />
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
        <PolicyTrial about="How the enabled policies decide a call." />
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
