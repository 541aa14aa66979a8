import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrors } from '../../../api/api-error';
import { clearAnswer } from '../../../components/Form';
import { confirm } from '../../../components/confirm';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LinkButton } from '../../../components/LinkButton';
import { showDone } from '../../../components/notices';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { POLICY_NAME } from '../policy-text';
import { useCreatePolicy, usePolicyTemplates } from '../use-policies';
import { PolicyEditor } from './PolicyEditor';

const NOTHING = { value: '', label: 'Nothing' };

export default function NewPolicyPage() {
  const navigate = useNavigate();
  const create = useCreatePolicy();
  const { data: templates = [], error, refetch } = usePolicyTemplates();
  const [name, setName] = useState('');
  const [template, setTemplate] = useState('');
  const textOf = (wanted: string) => templates.find((one) => one.name === wanted)?.policy ?? '';
  const {
    draft: text,
    setDraft: setText,
    discard,
    endEdit,
    hasChanges: isEdited,
  } = useUnsavedDraft(textOf(template), create);

  const begin = (wanted: string) => {
    setTemplate(wanted);
    discard();
  };
  const choose = (wanted: string) => {
    if (!isEdited) return begin(wanted);
    confirm({
      title: 'Start over?',
      text: 'Your text will be replaced.',
      confirm: 'Replace it',
      onConfirm: () => begin(wanted),
    });
  };
  const save = () =>
    create.mutate(
      { name, policy: text, enabled: true },
      {
        onSuccess: () => {
          showDone(`${name} is saved, and in force.`);
          void navigate(`/policies/${name}`, endEdit(text));
        },
      },
    );
  const nameError = fieldErrors(create.error).get('name');
  return (
    <>
      <TextLink to="/policies">All policies</TextLink>
      <PageHeader title="New policy" about="One policy in the Cedar language. It is in force as soon as it is saved." />
      <PolicyEditor
        name={name}
        isSaved={false}
        text={text}
        onChange={setText}
        canSave={POLICY_NAME.test(name)}
        isSaving={create.isPending}
        onSave={save}
        above={
          <>
            <TextInput
              label="Name"
              withAsterisk
              description="Lowercase letters, digits and dashes. Shown to clients that are denied. Can't be changed later."
              placeholder="interns-read-only"
              autoComplete="off"
              maxLength={64}
              maw={480}
              value={name}
              error={
                nameError ?? (name !== '' && !POLICY_NAME.test(name) && 'Only lowercase letters, digits and dashes.')
              }
              onChange={(event) => {
                clearAnswer(create);
                setName(event.currentTarget.value.trim());
              }}
            />
            <NativeSelect
              label="Start from"
              description="Replace the placeholders in <angle brackets>."
              maw={480}
              data={[NOTHING, ...templates.map(({ name: value, title }) => ({ value, label: title }))]}
              value={template}
              onChange={(event) => choose(event.currentTarget.value)}
            />
            {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
          </>
        }
        below={create.error && nameError === undefined && <ErrorNotice error={create.error} />}
        actions={<LinkButton to="/policies">Cancel</LinkButton>}
      />
    </>
  );
}
