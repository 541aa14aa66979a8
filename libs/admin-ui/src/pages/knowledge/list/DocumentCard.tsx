import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { Ago } from '../../../components/Moment';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import type { DocumentListItem } from '../use-knowledge';
import { Excerpt } from './Excerpt';

export function DocumentCard({ document }: { document: DocumentListItem }) {
  const { id, title, tags, path, updatedAt, section, excerpt, match } = document;
  return (
    <Paper component="article" aria-label={title} withBorder p="md">
      <Stack gap={6}>
        <Group justify="space-between" align="baseline" gap="xs">
          <Text fw={600}>
            <TextLink to={`/knowledge/${encodeURIComponent(id)}`}>{title}</TextLink>
          </Text>
          {match === 'meaning' && <Badge variant="light">Found by its meaning</Badge>}
          <Text size="sm" c="dimmed">
            {path && `${path}, `}changed <Ago at={updatedAt} />
          </Text>
        </Group>
        {section && section.length > 0 && (
          <Text size="sm" c="dimmed">
            {section.join(' › ')}
          </Text>
        )}
        {excerpt && <Excerpt excerpt={excerpt} />}
        <Tags tags={tags} />
      </Stack>
    </Paper>
  );
}
