import { OnlyFor } from '../../../components/OnlyFor';
import { EditableFor } from '../../../components/EditableFor';
import { Button, Stack, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { isOutdated as isRefused } from '../../../api/api-error';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import { clearAnswer } from '../../../components/clear-answer';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { Until } from '../../../components/Moment';
import { Section } from '../../../components/Section';
import { useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { type MemoryEntry, savedText, useChangeEntry } from '../use-memory';
import { EntryFields } from './EntryFields';
import { expiryOf, problemOfDays } from './expiry';

export function EntryForm({ entry }: { entry: MemoryEntry }) {
  const { content, importance, tags } = entry;
  const now = { content, importance, tags, expiresInDays: '' };
  const { draft, setDraft, discard, keep, endEdit, hasChanges, isOutdated } = useUnsavedDraft(now);
  const daysProblem = problemOfDays(draft.expiresInDays);
  const save = useChangeEntry(entry);
  const edit = (changed: Partial<typeof now>) => {
    clearAnswer(save);
    setDraft({ ...draft, ...changed });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(
      { ...draft, expiresInDays: expiryOf(draft.expiresInDays) },
      {
        onSuccess: (saved) => {
          endEdit(draft);
          showDone(savedText(saved));
        },
      },
    );
  };
  return (
    <Section title="Entry">
      <form onSubmit={submit} noValidate>
        <Stack>
          <EditableFor role="editor">
            <EntryFields draft={draft} onChange={edit} />
            <TextInput
              label="Expires in days from now"
              description={
                <>
                  {entry.expiresAt ? (
                    <>
                      It expires <Until at={entry.expiresAt} />.
                    </>
                  ) : (
                    'It never expires.'
                  )}{' '}
                  Empty: that stays so; 0: never.
                </>
              }
              inputMode="decimal"
              maw={320}
              error={daysProblem}
              value={draft.expiresInDays}
              onChange={(event) => edit({ expiresInDays: event.currentTarget.value })}
            />
          </EditableFor>
          {isOutdated && !save.isPending && (
            <ChangedMeanwhile
              what="entry"
              consequence="Neither text is lost: choose which one to keep."
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
                disabled={!hasChanges || isOutdated || daysProblem !== null || draft.content.trim() === ''}
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

/** Returns an entry as one text, for comparing it with another. */
const textOf = ({ content, importance, tags }: Pick<MemoryEntry, 'content' | 'importance' | 'tags'>): string =>
  [`Importance: ${importance}`, `Tags: ${tags.join(', ')}`, '', content].join('\n');
