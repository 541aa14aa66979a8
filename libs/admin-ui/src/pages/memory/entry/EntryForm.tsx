import { Button, NativeSelect, Stack, TagsInput, Textarea } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone, showError } from '../../../components/notices';
import { Section } from '../../../components/Section';
import { type MemoryEntry, useChangeEntry } from '../use-memory';

const IMPORTANCES = ['1', '2', '3', '4', '5'];

export function EntryForm({ entry }: { entry: MemoryEntry }) {
  const [content, setContent] = useState(entry.content);
  const [importance, setImportance] = useState(String(entry.importance));
  const [tags, setTags] = useState(entry.tags);
  const save = useChangeEntry(entry);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(
      { content, tags, importance: Number(importance) },
      {
        onSuccess: ({ outcome, key }) =>
          outcome === 'duplicate'
            ? showError(new Error(`Nothing was saved: the entry ${key} says the same already.`))
            : showDone('The entry is saved.'),
      },
    );
  };
  return (
    <Section title="Entry">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Textarea
            label="Text"
            autosize
            minRows={3}
            maxRows={30}
            value={content}
            onChange={(event) => setContent(event.currentTarget.value)}
          />
          <NativeSelect
            label="Importance"
            description="5 is the most important, and found first."
            maw={320}
            data={IMPORTANCES}
            value={importance}
            onChange={(event) => setImportance(event.currentTarget.value)}
          />
          <TagsInput
            label="Tags"
            description="Press Enter after each."
            value={tags}
            acceptValueOnBlur
            onChange={setTags}
          />
          {save.error && <ErrorNotice error={save.error} />}
          <div>
            <Button type="submit" loading={save.isPending} disabled={content.trim() === ''}>
              Save
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}
