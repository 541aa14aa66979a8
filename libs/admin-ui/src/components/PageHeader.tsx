import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
}

/** Shows the heading of a page, and sets the title of the browser tab. */
export function PageHeader({ title, about, actions }: PageHeaderProps) {
  return (
    <Group justify="space-between" align="start" mb="lg" gap="md">
      <title>{`${title} · Agent Service`}</title>
      <Stack gap={4}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {about && <Text c="dimmed">{about}</Text>}
      </Stack>
      {actions}
    </Group>
  );
}
