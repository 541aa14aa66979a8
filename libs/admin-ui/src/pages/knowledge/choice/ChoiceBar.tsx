import { Button, Checkbox, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { confirm } from '../../../components/confirm';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { countOf, formatNumber } from '../../../text/format';
import { TagsField } from '../tags/TagsField';
import { type ManyChange, type SeenDocument, useAllThatMatch, useChangeMany } from '../use-collection';
import { ChangeSummary } from './ChangeSummary';
import type { Choice } from './use-choice';

interface ChoiceBarProps {
  choice: Choice;
  /** Those that the page shows. */
  shown: readonly SeenDocument[];
  hasMore: boolean;
  search: string;
  tag: string;
}

/** Chooses documents of the list, and changes or deletes those that are chosen. */
export function ChoiceBar({ choice, shown, hasMore, search, tag }: ChoiceBarProps) {
  const { chosen } = choice;
  const [tags, setTags] = useState<string[]>([]);
  const all = useAllThatMatch();
  const many = useChangeMany();
  const isBusy = all.isPending || many.isPending;
  const shownAndChosen = shown.filter(({ id }) => choice.has(id)).length;
  const change = (next: ManyChange) =>
    many.mutate(
      { change: next, documents: chosen },
      {
        onSuccess: ({ documents }) => {
          choice.leave(documents.map(({ id, title, version }) => ({ id, title: title ?? '', version: version ?? 0 })));
          setTags([]);
        },
      },
    );
  const askToDelete = () =>
    confirm({
      title: `Delete ${countOf(chosen.length, 'document')}?`,
      text:
        `Assistants will no longer find ${chosen.length === 1 ? 'it' : 'them'}. The history is deleted, too. This cannot be ` +
        'undone. A document that is changed by somebody else before it is its turn is kept.',
      confirm: `Delete ${countOf(chosen.length, 'document')}`,
      onConfirm: () => change({ change: 'delete' }),
    });
  return (
    <Stack>
      {many.data && <ChangeSummary result={many.data} onClose={many.reset} />}
      {many.error && <ErrorNotice error={many.error} />}
      {all.error && <ErrorNotice error={all.error} />}
      {shown.length > 0 && (
        <Group>
          <Checkbox
            label={`Choose the ${countOf(shown.length, 'document')} shown`}
            checked={shownAndChosen === shown.length}
            indeterminate={shownAndChosen > 0 && shownAndChosen < shown.length}
            disabled={isBusy}
            onChange={(event) => (event.currentTarget.checked ? choice.choose(shown) : choice.leave(shown))}
          />
          {(hasMore || search !== '') && (
            <Button
              variant="default"
              size="xs"
              loading={all.isPending}
              disabled={isBusy}
              onClick={() => all.mutate({ search, tag }, { onSuccess: choice.choose })}
            >
              Choose all that match
            </Button>
          )}
          {all.isPending && <Text size="sm">{formatNumber(all.count)} read</Text>}
        </Group>
      )}
      {many.isPending && (
        <Stack gap={4} role="status">
          <Text size="sm">
            {formatNumber(many.progress.done)} of {countOf(many.progress.total, 'document')} done
          </Text>
          <Progress value={(many.progress.done / many.progress.total) * 100} aria-label="Documents" animated />
        </Stack>
      )}
      {chosen.length > 0 && (
        <Paper component="section" aria-label="Chosen documents" withBorder p="md">
          <Stack gap="sm">
            <Group justify="space-between">
              <Text fw={600} role="status">
                {countOf(chosen.length, 'document')} chosen
              </Text>
              <Button variant="subtle" size="xs" disabled={isBusy} onClick={choice.clear}>
                Choose none
              </Button>
            </Group>
            <Group align="end">
              <TagsField label="Tags to add or remove" w={{ base: '100%', xs: 320 }} value={tags} onChange={setTags} />
              <Button
                variant="default"
                disabled={isBusy || tags.length === 0}
                onClick={() => change({ change: 'tag', addTags: tags })}
              >
                Add tags
              </Button>
              <Button
                variant="default"
                disabled={isBusy || tags.length === 0}
                onClick={() => change({ change: 'tag', removeTags: tags })}
              >
                Remove tags
              </Button>
              <Button variant="default" disabled={isBusy} onClick={askToDelete}>
                Delete chosen
              </Button>
            </Group>
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}
