import { Button, Group, Paper, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors } from '../../api/api-error';
import { clearAnswer, Form } from '../../components/Form';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { useCreateWebhook } from './use-webhooks';

const EMPTY = { name: '', eventType: '' };

export function AddWebhookForm() {
  const [draft, setDraft] = useState(EMPTY);
  const create = useCreateWebhook();
  useUnsavedChanges((draft.name !== '' || draft.eventType !== '') && !create.isPending);
  const errors = fieldErrors(create.error);
  const change = (part: Partial<typeof EMPTY>) => {
    clearAnswer(create);
    setDraft({ ...draft, ...part });
  };
  const submit = () => create.mutate(draft, { onSuccess: () => setDraft(EMPTY) });
  const isComplete = draft.name !== '' && draft.eventType !== '';
  return (
    <Paper component={Form} onSubmit={submit} withBorder p="md">
      {create.error && errors.size === 0 && <ErrorNotice error={create.error} m="0 0 sm" />}
      <Group align="start">
        <TextInput
          label="Name"
          description="The last part of its URL."
          placeholder="shop"
          autoComplete="off"
          w={{ base: '100%', xs: 240 }}
          value={draft.name}
          error={errors.get('name')}
          onChange={(event) => change({ name: event.currentTarget.value.trim() })}
        />
        <TextInput
          label="Event type"
          description="The type that workflows name in with.type."
          placeholder="shop.order.placed"
          autoComplete="off"
          w={{ base: '100%', xs: 320 }}
          value={draft.eventType}
          error={errors.get('eventType')}
          onChange={(event) => change({ eventType: event.currentTarget.value.trim() })}
        />
      </Group>
      <Button mt="sm" type="submit" loading={create.isPending} disabled={!isComplete}>
        Add webhook
      </Button>
    </Paper>
  );
}
