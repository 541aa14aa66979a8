import { EditableFor, OnlyFor } from '../../../components/OnlyFor';
import { Button, Stack, TextInput } from '@mantine/core';
import { isOutdated as isRefused } from '../../../api/api-error';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { showDone } from '../../../components/notices';
import { Until } from '../../../components/Moment';
import { Section } from '../../../components/Section';
import { useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { type MemoryEntry, savedText, useChangeEntry } from '../use-memory';
import { EntryFields } from './EntryFields';
import { expiryOf, problemOfDays } from './expiry';

export function EntryForm({ entry }: { entry: MemoryEntry }) {
  const { content, importance, tags } = entry;
  const save = useChangeEntry(entry);
  const edit = useUnsavedDraft({ content, importance, tags, expiresInDays: '' }, save);
  const { draft, setDraft, endEdit, hasChanges, isOutdated } = edit;
  const daysProblem = problemOfDays(draft.expiresInDays);
  const change = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed });
  const submit = () =>
    save.mutate(
      { ...draft, expiresInDays: expiryOf(draft.expiresInDays) },
      {
        onSuccess: (saved) => {
          endEdit(draft);
          showDone(savedText(saved));
        },
      },
    );
  return (
    <Section title="Entry">
      <Form onSubmit={submit}>
        <Stack>
          <EditableFor role="editor">
            <EntryFields draft={draft} onChange={change} />
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
              onChange={(event) => change({ expiresInDays: event.currentTarget.value })}
            />
          </EditableFor>
          <ChangedMeanwhile what="entry" edit={edit} textOf={textOf} />
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
      </Form>
    </Section>
  );
}

/** Returns an entry as one text, for comparing it with another. */
const textOf = ({ content, importance, tags }: Pick<MemoryEntry, 'content' | 'importance' | 'tags'>): string =>
  [`Importance: ${importance}`, `Tags: ${tags.join(', ')}`, '', content].join('\n');
