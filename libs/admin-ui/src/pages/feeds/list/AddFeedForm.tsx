import { Button, Paper, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { clearAnswer, Form } from '../../../components/Form';
import { messageOf } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { useUnsavedChanges } from '../../../components/use-unsaved-changes';
import { useAddFeed } from '../use-feeds';

export function AddFeedForm() {
  const [url, setUrl] = useState('');
  const add = useAddFeed();
  useUnsavedChanges(url.trim() !== '' && !add.isPending);
  const submit = () =>
    add.mutate(url.trim(), {
      onSuccess: ({ title, isNew }) => {
        setUrl('');
        showDone(isNew ? `${title} is added.` : `${title} is followed already.`);
      },
    });
  return (
    <Paper component={Form} onSubmit={submit} withBorder p="md">
      <Stack gap="sm" align="start">
        <TextInput
          w="100%"
          maw={640}
          label="Address of a feed"
          description="The address of a feed, or of a web page that announces one."
          type="url"
          name="url"
          autoComplete="off"
          placeholder="https://"
          value={url}
          error={add.error && messageOf(add.error)}
          onChange={(event) => {
            clearAnswer(add);
            setUrl(event.currentTarget.value);
          }}
        />
        <Button type="submit" loading={add.isPending} disabled={url.trim() === ''}>
          Add feed
        </Button>
      </Stack>
    </Paper>
  );
}
