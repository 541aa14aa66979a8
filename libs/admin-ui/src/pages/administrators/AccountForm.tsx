import { Button, Stack, Switch, TagsInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { fieldErrors } from '../../api/api-error';
import { ErrorNotice } from '../../components/ErrorNotice';
import { showDone } from '../../components/notices';
import { Section } from '../../components/Section';
import { useGroups } from '../clients/use-clients';
import { type Administrator, BUILT_IN, useUpdateAccount } from './use-administrators';

const MOST_GROUPS = 32;

/** The groups of an account, and whether it is disabled. */
export function AccountForm({ account: { name, ...account } }: { account: Administrator }) {
  const [groups, setGroups] = useState(account.groups);
  const [disabled, setDisabled] = useState(account.disabled);
  const { data: known = [] } = useGroups();
  const save = useUpdateAccount(name);
  const errors = fieldErrors(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate({ groups, disabled }, { onSuccess: () => showDone(`${name} is saved.`) });
  };
  return (
    <Section title="Change">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" align="start">
          {save.error && errors.size === 0 && <ErrorNotice error={save.error} />}
          <TagsInput
            label="Groups"
            description="Policies name them. Press Enter after each."
            data={known}
            maxTags={MOST_GROUPS}
            w={{ base: '100%', xs: 400 }}
            value={groups}
            error={[...errors].find(([path]) => path.startsWith('groups'))?.[1]}
            onChange={(chosen) => {
              save.reset();
              setGroups(chosen.map((group) => group.trim()));
            }}
          />
          {name !== BUILT_IN && (
            <Switch
              label="Disabled"
              description="The account cannot log in, and its sessions end."
              checked={disabled}
              onChange={(event) => setDisabled(event.currentTarget.checked)}
            />
          )}
          <Button type="submit" variant="default" loading={save.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
