import { Group, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { DeleteButton } from '../../../components/DeleteButton';
import { Ago } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { Effect } from '../Effect';
import { isLastPermit, NOTHING_LEFT } from '../last-permit';
import { PolicySwitch } from '../PolicySwitch';
import { useDeletePolicy, usePolicies, usePolicy } from '../use-policies';
import { SavedPolicyEditor } from './SavedPolicyEditor';

export default function PolicyPage() {
  const { name = '' } = useParams();
  const query = usePolicy(name);
  const policy = query.data;
  const { data: policies = [] } = usePolicies();
  const deletion = useDeletePolicy({ name, version: policy?.version ?? '' });
  return (
    <>
      <TextLink to="/policies">All policies</TextLink>
      <PageHeader
        title={name}
        actions={
          policy && (
            <OnlyFor role="admin">
              <DeleteButton
                deletion={deletion}
                title={`Delete ${name}?`}
                text={
                  isLastPermit(policies, name) ? NOTHING_LEFT : 'It will no longer be in force. This cannot be undone.'
                }
                confirm="Delete policy"
                done={`${name} is deleted.`}
                to="/policies"
              />
            </OnlyFor>
          )
        }
      />
      <QueryState query={query} height={160} />
      {policy && (
        <>
          <Group mb="md">
            <Effect policy={policy} />
            <PolicySwitch policy={policy} label="Enabled" />
            <Text size="sm" c="dimmed">
              Changed <Ago at={policy.updatedAt} />
              {policy.updatedBy && ` by ${policy.updatedBy}`}
            </Text>
          </Group>
          <SavedPolicyEditor key={name} policy={policy} />
        </>
      )}
    </>
  );
}
