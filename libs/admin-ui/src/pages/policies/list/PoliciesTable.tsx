import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/DataTable';
import { Ago } from '../../../components/Moment';
import { TextLink } from '../../../components/TextLink';
import { Effect } from '../Effect';
import { summaryOf } from '../policy-text';
import { PolicySwitch } from '../PolicySwitch';
import type { Policy } from '../use-policies';

const COLUMNS: readonly Column<Policy>[] = [
  {
    title: 'Policy',
    render: ({ name, policy }) => (
      <div>
        <TextLink to={`/policies/${name}`}>{name}</TextLink>
        <Summary policy={policy} />
      </div>
    ),
  },
  { title: 'Effect', render: (policy) => <Effect policy={policy} /> },
  {
    title: 'Changed',
    render: ({ updatedAt, updatedBy }) => (
      <span>
        <Ago at={updatedAt} />
        {updatedBy && ` by ${updatedBy}`}
      </span>
    ),
  },
  { title: 'Enabled', render: (policy) => <PolicySwitch policy={policy} /> },
];

export function PoliciesTable({ policies }: { policies: readonly Policy[] }) {
  return <DataTable label="Policies" columns={COLUMNS} rows={policies} keyOf={({ name }) => name} />;
}

function Summary({ policy }: { policy: string }) {
  const { text, isCode } = summaryOf(policy);
  return (
    <Text size={isCode ? 'xs' : 'sm'} c="dimmed" lineClamp={2} {...(isCode && { ff: 'monospace' })}>
      {text}
    </Text>
  );
}
