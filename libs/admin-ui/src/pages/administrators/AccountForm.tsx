import { Button, Stack, Switch, TagsInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { fieldErrors } from '../../api/api-error';
import { clearAnswer } from '../../components/clear-answer';
import { changedFields } from '../../components/changed-fields';
import { FieldsChangedMeanwhile } from '../../components/FieldsChangedMeanwhile';
import { ErrorNotice } from '../../components/ErrorNotice';
import { showDone } from '../../components/notices';
import { Section } from '../../components/Section';
import { useUnsavedFields } from '../../components/use-unsaved-changes';
import { useGroups } from '../clients/use-clients';
import { type Administrator, BUILT_IN, useUpdateAccount } from './use-administrators';

const MOST_GROUPS = 32;

/** Form for the groups of an account, and for disabling it. */
export function AccountForm({ account: { name, groups, disabled } }: { account: Administrator }) {
  const saved = { groups, disabled };
  const fields = useUnsavedFields(saved);
  const { draft, change, endEdit, hasChanges, isOutdated } = fields;
  const { data: known = [] } = useGroups();
  const save = useUpdateAccount(name);
  const errors = fieldErrors(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(changedFields(draft, saved), {
      onSuccess: () => {
        endEdit(draft);
        showDone(`${name} is saved.`);
      },
    });
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
            value={draft.groups}
            error={[...errors].find(([path]) => path.startsWith('groups'))?.[1]}
            onChange={(chosen) => {
              clearAnswer(save);
              change({ groups: chosen.map((group) => group.trim()) });
            }}
          />
          {name !== BUILT_IN && (
            <Switch
              label="Disabled"
              description="The account cannot log in, and its sessions end."
              checked={draft.disabled}
              onChange={(event) => change({ disabled: event.currentTarget.checked })}
            />
          )}
          <FieldsChangedMeanwhile what="account" fields={fields} textOf={textOf} isSaving={save.isPending} />
          <Button type="submit" variant="default" loading={save.isPending} disabled={!hasChanges || isOutdated}>
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  );
}

const textOf = ({ groups, disabled }: Pick<Administrator, 'groups' | 'disabled'>): string =>
  [`Groups: ${groups.join(', ')}`, `Disabled: ${disabled ? 'yes' : 'no'}`].join('\n');
