import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import type { NavigateOptions } from 'react-router';
import { isOutdated as isRefused } from '../../../api/api-error';
import { ChangedMeanwhile } from '../../../components/ChangedMeanwhile';
import MarkdownEditor from '../../../components/code-editor/MarkdownEditor';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { LinkButton } from '../../../components/LinkButton';
import { type Save, useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { TagsField } from '../tags/TagsField';
import type { DocumentBody } from '../use-knowledge';

interface DocumentFormProps {
  saved: DocumentBody;
  cancelTo: string;
  save: Save;
  /** `endEdit` must be called after the save; it returns the options for leaving the page. */
  onSave: (body: DocumentBody, endEdit: () => NavigateOptions) => void;
}

export function DocumentForm({ saved, cancelTo, save, onSave }: DocumentFormProps) {
  const { title, content, tags = [] } = saved;
  const edit = useUnsavedDraft({ title, content, tags }, save);
  const { draft, setDraft, endEdit, hasChanges, isOutdated } = edit;
  const change = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed });
  return (
    <Paper component={Form} onSubmit={() => onSave(draft, () => endEdit(draft))} withBorder p="md">
      <Stack>
        <TextInput
          label="Title"
          name="title"
          autoComplete="off"
          value={draft.title}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <TagsField
          label="Tags"
          description="Press Enter after each."
          value={draft.tags}
          onChange={(next) => change({ tags: next })}
        />
        <div>
          <Text size="sm" fw={500}>
            Content
          </Text>
          <Text size="xs" c="dimmed" mb={4}>
            Markdown. Headings divide the text into passages, which searches find.
          </Text>
          <MarkdownEditor label="Content" value={draft.content} onChange={(next) => change({ content: next })} />
        </div>
        <ChangedMeanwhile what="document" edit={edit} textOf={textOf} />
        {save.error && !isRefused(save.error) && <ErrorNotice error={save.error} />}
        <Group gap="xs">
          <Button
            type="submit"
            loading={save.isPending}
            disabled={!hasChanges || isOutdated || draft.title.trim() === '' || draft.content.trim() === ''}
          >
            Save
          </Button>
          <LinkButton to={cancelTo}>Cancel</LinkButton>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Returns a document as one text, for comparing it with another. */
export const textOf = ({ title, tags = [], content }: DocumentBody): string =>
  [`Title: ${title}`, `Tags: ${tags.join(', ')}`, '', content].join('\n');
