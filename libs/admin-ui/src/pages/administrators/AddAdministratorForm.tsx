import { Button, Group, NativeSelect, Paper, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors } from '../../api/api-error';
import type { Role } from '../../api/session';
import { clearAnswer, Form } from '../../components/Form';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { ROLE_OPTIONS } from './role-options';
import { useCreateAdministrator } from './use-administrators';

export function AddAdministratorForm() {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const create = useCreateAdministrator();
  useUnsavedChanges(name !== '' && !create.isPending);
  const errors = fieldErrors(create.error);
  const submit = () => create.mutate({ name, role }, { onSuccess: () => setName('') });
  return (
    <Paper component={Form} onSubmit={submit} withBorder p="md">
      {create.error && errors.size === 0 && <ErrorNotice error={create.error} m="0 0 sm" />}
      <Group align="start">
        <TextInput
          label="Name"
          description="The name to log in with."
          placeholder="ada"
          autoComplete="off"
          autoCapitalize="none"
          w={{ base: '100%', xs: 240 }}
          value={name}
          error={errors.get('name')}
          onChange={(event) => {
            clearAnswer(create);
            setName(event.currentTarget.value.trim());
          }}
        />
        <NativeSelect
          label="Role"
          description="What this person may do."
          w={{ base: '100%', xs: 320 }}
          data={ROLE_OPTIONS}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
        />
      </Group>
      <Button mt="sm" type="submit" loading={create.isPending} disabled={name === ''}>
        Add account
      </Button>
    </Paper>
  );
}
