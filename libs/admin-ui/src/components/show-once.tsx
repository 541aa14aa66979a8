import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { CopyButton } from './CopyButton';

interface Shown {
  title: string;
  text: string;
  secret: string;
  onClose?: () => void;
  /** The page where the secret is needed next. */
  next?: { label: string; go: () => void };
}

/** Shows a new secret once, until the user closes the dialog. */
export function showOnce({ title, text, secret, onClose, next }: Shown): void {
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
          <Group gap="xs">
            <Button variant={next ? 'default' : 'filled'} onClick={() => modals.close(id)}>
              Done
            </Button>
            {next && (
              <Button
                onClick={() => {
                  modals.close(id);
                  next.go();
                }}
              >
                {next.label}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
    ),
  });
}
