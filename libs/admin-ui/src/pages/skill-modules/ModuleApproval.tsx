import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { ShieldIcon } from '@primer/octicons-react';
import { showOutcome } from '../../components/notices';
import { OnlyFor } from '../../components/OnlyFor';
import { describeUses } from './module-uses';
import { type FullModule, useApproveModule } from './use-modules';

/** Shows what the newest version uses, and lets an administrator approve it. */
export function ModuleApproval({ one: { name, version, digest, offered, uses } }: { one: FullModule }) {
  const approve = useApproveModule(name);
  const lines = describeUses(uses);
  return (
    <Alert color="orange" icon={<ShieldIcon aria-hidden />} title={`Version ${version} waits for approval`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {offered === null ? 'Clients do not get its skills yet.' : `Until then, clients get version ${offered}.`} Look
          at its code below. {lines.length === 0 && 'It uses no hosts, skills, secrets or databases.'}
        </Text>
        {lines.length > 0 && (
          <List size="sm">
            {lines.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        )}
        <OnlyFor role="admin">
          <Button
            loading={approve.isPending}
            onClick={() =>
              showOutcome(approve.mutateAsync({ version, digest }), `Clients get version ${version} of ${name}.`)
            }
          >
            Approve version {version}
          </Button>
        </OnlyFor>
      </Stack>
    </Alert>
  );
}
