import { Button, Group, Paper, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'react-router';
import { ErrorNotice } from '../../../components/ErrorNotice';
import type { DocumentBody } from '../use-knowledge';

interface DocumentFormProps {
  initial: DocumentBody;
  cancelTo: string;
  error: Error | null;
  isSaving: boolean;
  onSave: (body: DocumentBody) => void;
}

export function DocumentForm({ initial, cancelTo, error, isSaving, onSave }: DocumentFormProps) {
  const [title, setTitle] = useState(initial.title);
  const [tags, setTags] = useState(initial.tags ?? []);
  const [content, setContent] = useState(initial.content);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSave({ title, tags, content });
  };
  return (
    <Paper component="form" onSubmit={submit} noValidate withBorder p="md">
      <Stack>
        <TextInput
          label="Title"
          name="title"
          autoComplete="off"
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <TagsInput
          label="Tags"
          description="Press Enter after each."
          value={tags}
          acceptValueOnBlur
          onChange={setTags}
        />
        <Textarea
          label="Content"
          description="Markdown. Headings divide it into the passages that are found."
          name="content"
          autosize
          minRows={12}
          maxRows={40}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        {error && <ErrorNotice error={error} />}
        <Group gap="xs">
          <Button type="submit" loading={isSaving} disabled={title.trim() === '' || content.trim() === ''}>
            Save
          </Button>
          <Button component={Link} to={cancelTo} variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
