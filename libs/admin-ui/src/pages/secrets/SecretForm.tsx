import { Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { fieldErrors } from '../../api/api-error';
import { clearAnswer, Form } from '../../components/Form';
import { ErrorNotice } from '../../components/ErrorNotice';
import { showDone } from '../../components/notices';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { PartsFields } from './PartsFields';
import { type Limits, problemOf } from './places';
import { HostsField, SkillsField } from './PlacesField';
import { EMPTY_SECRET, isEmpty, valueOf } from './secret-value';
import { type Secret, useSetSecret } from './use-secrets';

interface SecretFormProps {
  /** The existing secrets. */
  secrets: readonly Secret[];
  /** The name of the secret to change; absent = none yet. */
  edited?: string | undefined;
  onHasChanges: (hasChanges: boolean) => void;
  onDone: () => void;
}

/** Adds a secret, or changes only the entered parts of one with the same name. */
export function SecretForm({ secrets, edited, onHasChanges, onDone }: SecretFormProps) {
  const [name, setName] = useState(edited ?? '');
  const [parts, setParts] = useState(EMPTY_SECRET);
  const [limits, setLimits] = useState<Partial<Limits>>({});
  const [problem, setProblem] = useState<string>();
  const save = useSetSecret();
  const hasChanges = name !== (edited ?? '') || !isEmpty(parts) || Object.keys(limits).length > 0;
  useUnsavedChanges(hasChanges && !save.isPending);
  useEffect(() => onHasChanges(hasChanges), [hasChanges, onHasChanges]);
  const errors = fieldErrors(save.error);
  const present = secrets.find((secret) => secret.name === name);
  const touch = () => {
    clearAnswer(save);
    setProblem(undefined);
  };
  const { hosts, skills }: Limits = { hosts: null, skills: null, ...present, ...limits };
  const changeLimits = (changed: Partial<Limits>) => {
    touch();
    setLimits({ ...limits, ...changed });
  };
  const submit = () => {
    const checked = present && isEmpty(parts) ? { value: undefined } : valueOf(parts);
    if ('problem' in checked) return setProblem(checked.problem);
    save.mutate(
      { name, ...(checked.value !== undefined && { value: checked.value }), ...limits },
      {
        onSuccess: () => {
          onDone();
          showDone(`${name} is saved.`);
        },
      },
    );
  };
  return (
    <Paper component={Form} onSubmit={submit} withBorder p="md">
      <Stack gap="sm" align="start">
        {save.error && errors.size === 0 && <ErrorNotice error={save.error} />}
        <TextInput
          label="Name"
          description="The name that workflows list in use.secrets, and skill modules in uses. An existing secret is replaced."
          autoComplete="off"
          w={{ base: '100%', xs: 360 }}
          value={name}
          autoFocus={edited !== undefined}
          error={errors.get('name')}
          onChange={(event) => {
            touch();
            setName(event.currentTarget.value.trim());
          }}
        />
        <PartsFields
          parts={parts}
          mayBeEmpty={present !== undefined}
          problem={problem ?? errors.get('value')}
          onChange={(changed) => {
            touch();
            setParts(changed);
          }}
        />
        <HostsField
          places={hosts}
          problem={problemOf('hosts', errors)}
          onChange={(changed) => changeLimits({ hosts: changed })}
        />
        <SkillsField
          places={skills}
          problem={problemOf('skills', errors)}
          onChange={(changed) => changeLimits({ skills: changed })}
        />
        <Group gap="xs">
          <Button type="submit" loading={save.isPending} disabled={name === ''}>
            Save secret
          </Button>
          <Button variant="default" onClick={() => setParts([...parts, { name: '', value: '' }])}>
            Add a part
          </Button>
          {edited !== undefined && (
            <Button variant="default" disabled={save.isPending} onClick={onDone}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
