import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { CopyButton } from './CopyButton';

interface Shown {
  title: string;
  text: string;
  secret: string;
  onClose?: () => void;
}

/** Shows a new secret once, until the user closes the dialog. */
export function showOnce({ title, text, secret, onClose }: Shown): void {
  const id = modals.open({
    title,
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    onClose,
    children: (
      <Stack>
        <Text size="sm">{text}</Text>
        <Code block data-testid="shown-once" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {secret}
        </Code>
        <Group justify="space-between">
          <CopyButton value={secret} />
          <Button onClick={() => modals.close(id)}>Done</Button>
        </Group>
      </Stack>
    ),
  });
}
