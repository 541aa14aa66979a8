import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { ShieldIcon } from '@primer/octicons-react';
import { showDone, showError } from '../../components/notices';
import { OnlyFor } from '../../components/OnlyFor';
import { type FullModule, useApproveModule } from './use-modules';

/** Says what the newest version uses, and lets an administrator approve it. */
export function ModuleApproval({ one: { name, version, offered, uses } }: { one: FullModule }) {
  const approve = useApproveModule(name);
  const lines = [
    ...uses.hosts.map((host) => `It sends requests to ${host}.`),
    ...uses.skills.map((skill) => `It calls the skill ${skill}, in the name of whoever calls it.`),
    ...uses.secrets.map((secret) => `It sends the secret ${secret} to these hosts, as far as the secret allows it.`),
    ...(uses.state ? ['It keeps a value between calls, of all its callers.'] : []),
  ];
  return (
    <Alert color="orange" icon={<ShieldIcon aria-hidden />} title={`Version ${version} waits for approval`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {offered === null ? 'Clients do not get its skills yet.' : `Until then, clients get version ${offered}.`} Look
          at its code below. {lines.length === 0 && 'It uses nothing of the service.'}
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
              approve.mutate(version, {
                onSuccess: () => showDone(`Clients get version ${version} of ${name}.`),
                onError: showError,
              })
            }
          >
            Approve version {version}
          </Button>
        </OnlyFor>
      </Stack>
    </Alert>
  );
}
