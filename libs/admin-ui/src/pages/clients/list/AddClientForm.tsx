import { Button, Paper, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error';
import { changedFields } from '../../../components/changed-fields';
import { clearAnswer, Form } from '../../../components/Form';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { useUnsavedChanges } from '../../../components/use-unsaved-changes';
import { EMPTY_DRAFT, isReadable, toBody } from '../client-draft';
import { ClientFields } from '../ClientFields';
import { useCreateClient } from '../use-clients';

/** Creates a client, and shows its key once. */
export function AddClientForm({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState('');
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const create = useCreateClient();
  const isEntered = name !== '' || Object.keys(changedFields(draft, EMPTY_DRAFT)).length > 0;
  useUnsavedChanges(isEntered && !create.isPending);
  const errors = fieldErrors(create.error);
  const submit = () => create.mutate({ name, ...toBody(draft) }, { onSuccess: onMade });
  return (
    <Paper component={Form} onSubmit={submit} withBorder p="md" aria-label="New client">
      <Stack gap="sm" align="start">
        {create.error && errors.size === 0 && <ErrorNotice error={create.error} />}
        <TextInput
          label="Name"
          description='Lowercase letters, digits, ".", "-" and "_". Can&apos;t be changed later.'
          placeholder="ci"
          autoComplete="off"
          w={{ base: '100%', xs: 400 }}
          value={name}
          error={errors.get('name')}
          onChange={(event) => {
            clearAnswer(create);
            setName(event.currentTarget.value.trim());
          }}
        />
        <ClientFields
          draft={draft}
          errors={errors}
          onChange={(changed) => {
            clearAnswer(create);
            setDraft({ ...draft, ...changed });
          }}
        />
        <Button type="submit" loading={create.isPending} disabled={name === '' || !isReadable(draft)}>
          Create client
        </Button>
      </Stack>
    </Paper>
  );
}
