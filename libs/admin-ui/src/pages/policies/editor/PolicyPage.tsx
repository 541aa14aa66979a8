import { Group, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { Ago } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { Effect } from '../Effect';
import { PolicySwitch } from '../PolicySwitch';
import { usePolicy } from '../use-policies';
import { DeletePolicyButton } from './DeletePolicyButton';
import { SavedPolicyEditor } from './SavedPolicyEditor';

export default function PolicyPage() {
  const { name = '' } = useParams();
  const query = usePolicy(name);
  const policy = query.data;
  return (
    <>
      <TextLink to="/policies">All policies</TextLink>
      <PageHeader
        title={name}
        actions={
          policy && (
            <OnlyFor role="admin">
              <DeletePolicyButton policy={policy} />
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
