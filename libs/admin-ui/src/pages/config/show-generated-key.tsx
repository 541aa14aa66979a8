import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { CopyButton } from '../../components/CopyButton';

/** Shows a new key once, until the user closes the dialog. */
export function showGeneratedKey(key: string, onClose: () => void): void {
  const id = modals.open({
    title: 'Your new key',
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    onClose,
    children: (
      <Stack>
        <Text size="sm">Copy it now: it cannot be shown again. Clients send it as a bearer token.</Text>
        <Code block data-testid="generated-key" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {key}
        </Code>
        <Group justify="space-between">
          <CopyButton value={key} />
          <Button onClick={() => modals.close(id)}>Done</Button>
        </Group>
      </Stack>
    ),
  });
}
