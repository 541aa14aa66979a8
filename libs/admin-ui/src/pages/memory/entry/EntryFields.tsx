import { NativeSelect, TagsInput, Textarea } from '@mantine/core';

interface EntryDraft {
  content: string;
  importance: number;
  tags: string[];
}

interface EntryFieldsProps {
  draft: EntryDraft;
  onChange: (draft: EntryDraft) => void;
}

const IMPORTANCES = ['1', '2', '3', '4', '5'];

/** Form fields of an entry. */
export function EntryFields({ draft, onChange }: EntryFieldsProps) {
  return (
    <>
      <Textarea
        label="Text"
        name="content"
        autosize
        minRows={3}
        maxRows={30}
        value={draft.content}
        onChange={(event) => onChange({ ...draft, content: event.currentTarget.value })}
      />
      <NativeSelect
        label="Importance"
        description="5 is the most important, and found first."
        maw={320}
        data={IMPORTANCES}
        value={String(draft.importance)}
        onChange={(event) => onChange({ ...draft, importance: Number(event.currentTarget.value) })}
      />
      <TagsInput
        label="Tags"
        description="Press Enter after each."
        value={draft.tags}
        acceptValueOnBlur
        onChange={(tags) => onChange({ ...draft, tags })}
      />
    </>
  );
}
