import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuestions } from '../api/questions';

interface PageHeaderProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
}

/** Shows the heading of a page, and sets the title of the browser tab, with the number of open questions. */
export function PageHeader({ title, about, actions }: PageHeaderProps) {
  const { data: { count = 0 } = {} } = useQuestions();
  return (
    <Group justify="space-between" align="start" mb="lg" gap="md">
      <title>{`${count > 0 ? `(${count}) ` : ''}${title} · Agent Service`}</title>
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
