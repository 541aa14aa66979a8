import { Button, Group, List, Modal, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { showDone, showError } from '../../components/notices';
import { QueryState } from '../../components/QueryState';
import { TextLink } from '../../components/TextLink';
import { describeUses } from './module-uses';
import { type SampleModule, useAddSampleModule, useSampleModules } from './use-modules';

/** Button that opens the list of the modules shipped with the service, for adding them. */
export function AddSample() {
  const [isOpen, setIsOpen] = useState(false);
  const query = useSampleModules(isOpen);
  const { data } = query;
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Add one that comes with the service
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title="Modules that come with the service"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          <QueryState query={query} />
          {data?.items.map((sample) => (
            <Sample key={sample.name} sample={sample} />
          ))}
        </Stack>
      </Modal>
    </>
  );
}

function Sample({ sample: { name, skills, uses, settings, isThere } }: { sample: SampleModule }) {
  const add = useAddSampleModule();
  const navigate = useNavigate();
  const lines = describeUses(uses);
  if (settings.length > 0) lines.push(`You set: ${settings.join(', ')}.`);
  const begin = () =>
    add.mutate(name, {
      onSuccess: ({ isWaiting }) => {
        showDone(`${name} is added${isWaiting ? ', and waits for approval' : ''}.`);
        void navigate(`/skill-modules/${name}`);
      },
      onError: showError,
    });
  return (
    <Paper component="section" aria-label={name} withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={600}>{name}</Text>
          {isThere ? (
            <Text size="sm">
              <TextLink to={`/skill-modules/${name}`}>There is a module {name}</TextLink>
            </Text>
          ) : (
            <Button size="xs" aria-label={`Add ${name}`} loading={add.isPending} onClick={begin}>
              Add
            </Button>
          )}
        </Group>
        {skills.map((skill) => (
          <div key={skill.name}>
            <Text size="sm" ff="monospace">
              {skill.name}
            </Text>
            <Text size="sm" c="dimmed">
              {skill.description}
            </Text>
          </div>
        ))}
        {lines.length === 0 ? (
          <Text size="sm">It uses no hosts, skills, secrets or databases.</Text>
        ) : (
          <List size="sm">
            {lines.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Paper>
  );
}
