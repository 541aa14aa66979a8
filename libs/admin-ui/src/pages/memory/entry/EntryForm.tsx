import { OnlyFor } from '../../../components/OnlyFor';
import { EditableFor } from '../../../components/EditableFor';
import { Button, Stack } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { isOutdated as isRefused } from '../../../api/api-error';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { Section } from '../../../components/Section';
import { useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { type MemoryEntry, savedText, useChangeEntry } from '../use-memory';
import { EntryFields } from './EntryFields';

export function EntryForm({ entry }: { entry: MemoryEntry }) {
  const { content, importance, tags } = entry;
  const now = { content, importance, tags };
  const { draft, setDraft, discard, keep, hasChanges, isOutdated } = useUnsavedDraft(now);
  const save = useChangeEntry(entry);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(draft, {
      onSuccess: (saved) => {
        discard();
        showDone(savedText(saved));
      },
    });
  };
  return (
    <Section title="Entry">
      <form onSubmit={submit} noValidate>
        <Stack>
          <EditableFor role="editor">
            <EntryFields draft={draft} onChange={setDraft} />
          </EditableFor>
          {isOutdated && !save.isPending && (
            <ChangedMeanwhile
              what="entry"
              consequence="Nothing of it is lost, nor of your text: decide which of the two goes on."
              onDiscard={discard}
              choice={{ now: textOf(now), mine: textOf(draft), onKeep: keep }}
            />
          )}
          {save.error && !isRefused(save.error) && <ErrorNotice error={save.error} />}
          <OnlyFor role="editor">
            <div>
              <Button
                type="submit"
                loading={save.isPending}
                disabled={!hasChanges || isOutdated || draft.content.trim() === ''}
              >
                Save
              </Button>
            </div>
          </OnlyFor>
        </Stack>
      </form>
    </Section>
  );
}

/** Returns all of an entry as one text, to compare it with another. */
const textOf = ({ content, importance, tags }: Pick<MemoryEntry, 'content' | 'importance' | 'tags'>): string =>
  [`Importance: ${importance}`, `Tags: ${tags.join(', ')}`, '', content].join('\n');
