import { Button, Checkbox, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { confirm } from '../../../components/confirm';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { countOf, formatNumber } from '../../../text/format';
import { TagsField } from '../tags/TagsField';
import {
  type ManyChange,
  type SeenDocument,
  useAllThatMatch,
  useChangeMany,
  useDocumentCount,
  type Wanted,
} from '../use-collection';
import { ChangeSummary } from './ChangeSummary';
import type { Choice } from './use-choice';

interface ChoiceBarProps {
  choice: Choice;
  /** The documents on the page. */
  shown: readonly SeenDocument[];
  hasMore: boolean;
  wanted: Wanted;
}

/** "Choose all 4,287 documents with all the words" */
function choiceOf(matching: number, { search, tag }: Wanted): string {
  const conditions = [...(search === '' ? [] : ['all the words']), ...(tag === '' ? [] : ['the tag'])];
  const which = conditions.length === 0 ? '' : ` with ${conditions.join(' and ')}`;
  return `Choose ${matching === 1 ? 'the one document' : `all ${countOf(matching, 'document')}`}${which}`;
}

/** Chooses documents of the list, and changes or deletes the chosen ones. */
export function ChoiceBar({ choice, shown, hasMore, wanted }: ChoiceBarProps) {
  const { chosen } = choice;
  const [tags, setTags] = useState<string[]>([]);
  const { data, isPlaceholderData: isOfAnother } = useDocumentCount(wanted);
  const matching = data?.matching ?? 0;
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
        `Assistants will no longer find ${chosen.length === 1 ? 'it' : 'them'}. The last 10,000 removed documents can be restored ` +
        'for 30 days. A document that somebody else changes in the meantime is kept.',
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
          {matching > 0 && (hasMore || wanted.search !== '') && (
            <Button
              variant="default"
              size="xs"
              loading={all.isPending}
              disabled={isBusy || isOfAnother}
              onClick={() => all.mutate(wanted, { onSuccess: choice.choose })}
            >
              {choiceOf(matching, wanted)}
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
