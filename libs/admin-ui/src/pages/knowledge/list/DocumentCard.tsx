import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { Ago } from '../../../components/Moment';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import type { DocumentListItem } from '../use-knowledge';
import { FoundPassage } from './FoundPassage';

export function DocumentCard({ document }: { document: DocumentListItem }) {
  const { id, title, tags, path, updatedAt, passage, match } = document;
  const place = passage ? `?marked=${passage.start}-${passage.start + passage.content.length}` : '';
  return (
    <Paper component="article" aria-label={title} withBorder p="md">
      <Stack gap={6}>
        <Group justify="space-between" align="baseline" gap="xs">
          <Text fw={600}>
            <TextLink to={`/knowledge/${encodeURIComponent(id)}${place}`}>{title}</TextLink>
          </Text>
          {match === 'meaning' && <Badge variant="light">Found by its meaning</Badge>}
          <Text size="sm" c="dimmed">
            {path && `${path}, `}changed <Ago at={updatedAt} />
          </Text>
        </Group>
        {passage && <FoundPassage passage={passage} />}
        <Tags tags={tags} />
      </Stack>
    </Paper>
  );
}
