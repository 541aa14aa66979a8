import { Badge, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { Ago } from '../../../components/Moment';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import type { DocumentListItem } from '../use-knowledge';
import { passageParts } from './passage-parts';
import classes from './FoundPassage.module.css';

interface DocumentCardProps {
  document: DocumentListItem;
  isChosen: boolean;
  /** Without it, documents cannot be chosen. */
  onChoose?: ((isChosen: boolean) => void) | undefined;
}

export function DocumentCard({ document, isChosen, onChoose }: DocumentCardProps) {
  const { id, title, tags, path, updatedAt, passage, match } = document;
  const place = passage ? `?marked=${passage.start}-${passage.start + passage.content.length}` : '';
  return (
    <Paper component="article" aria-label={title} withBorder p="md">
      <Stack gap={6}>
        <Group justify="space-between" align="baseline" gap="xs">
          <Group gap="sm" wrap="nowrap" maw="100%">
            {onChoose && (
              <Checkbox
                aria-label={`Choose ${title}`}
                checked={isChosen}
                onChange={(event) => onChoose(event.currentTarget.checked)}
              />
            )}
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              <TextLink to={`/knowledge/${encodeURIComponent(id)}${place}`}>{title}</TextLink>
            </Text>
          </Group>
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

/** Shows the found passage of a document. */
function FoundPassage({ passage }: { passage: NonNullable<DocumentListItem['passage']> }) {
  const { section, content, matches } = passage;
  return (
    <>
      {section.length > 0 && (
        <Text size="sm" c="dimmed">
          {section.join(' › ')}
        </Text>
      )}
      {content !== '' && (
        <Text size="sm" className={classes.passage}>
          {passageParts(content, matches).map(({ text, isFound }, index) =>
            isFound ? <mark key={index}>{text}</mark> : text,
          )}
        </Text>
      )}
    </>
  );
}
