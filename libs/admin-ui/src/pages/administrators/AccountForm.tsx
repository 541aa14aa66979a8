import { Switch, TagsInput } from '@mantine/core';
import { fieldErrors } from '../../api/api-error';
import { changedFields } from '../../components/changed-fields';
import { FieldsForm } from '../../components/FieldsForm';
import { showDone } from '../../components/notices';
import { useUnsavedFields } from '../../components/use-unsaved-changes';
import { useGroups } from '../clients/use-clients';
import { type Administrator, BUILT_IN, useUpdateAccount } from './use-administrators';

const MOST_GROUPS = 32;

/** Form for the groups of an account, and for disabling it. */
export function AccountForm({ account: { name, groups, disabled } }: { account: Administrator }) {
  const saved = { groups, disabled };
  const save = useUpdateAccount(name);
  const fields = useUnsavedFields(saved, save);
  const { draft, change, endEdit } = fields;
  const { data: known = [] } = useGroups();
  const submit = () =>
    save.mutate(changedFields(draft, saved), {
      onSuccess: () => {
        endEdit(draft);
        showDone(`${name} is saved.`);
      },
    });
  return (
    <FieldsForm title="Change" what="account" fields={fields} textOf={textOf} error={save.error} onSave={submit}>
      <TagsInput
        label="Groups"
        description="Policies name them. Press Enter after each."
        data={known}
        maxTags={MOST_GROUPS}
        w={{ base: '100%', xs: 400 }}
        value={draft.groups}
        error={[...fieldErrors(save.error)].find(([path]) => path.startsWith('groups'))?.[1]}
        onChange={(chosen) => change({ groups: chosen.map((group) => group.trim()) })}
      />
      {name !== BUILT_IN && (
        <Switch
          label="Disabled"
          description="The account cannot log in, and its sessions end."
          checked={draft.disabled}
          onChange={(event) => change({ disabled: event.currentTarget.checked })}
        />
      )}
    </FieldsForm>
  );
}

const textOf = ({ groups, disabled }: Pick<Administrator, 'groups' | 'disabled'>): string =>
  [`Groups: ${groups.join(', ')}`, `Disabled: ${disabled ? 'yes' : 'no'}`].join('\n');
