import { OnlyFor } from '../../../components/OnlyFor';
import { EditableFor } from '../../../components/EditableFor';
import { Button, Stack } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { Section } from '../../../components/Section';
import { useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { type MemoryEntry, savedText, useChangeEntry } from '../use-memory';
import { EntryFields } from './EntryFields';

export function EntryForm({ entry }: { entry: MemoryEntry }) {
  const { content, importance, tags } = entry;
  const { draft, setDraft, discard, hasChanges, isOutdated } = useUnsavedDraft({ content, importance, tags });
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
              consequence="If you save, your text replaces it; the history keeps the other version."
              onDiscard={discard}
            />
          )}
          {save.error && <ErrorNotice error={save.error} />}
          <OnlyFor role="editor">
            <div>
              <Button type="submit" loading={save.isPending} disabled={!hasChanges || draft.content.trim() === ''}>
                Save
              </Button>
            </div>
          </OnlyFor>
        </Stack>
      </form>
    </Section>
  );
}
