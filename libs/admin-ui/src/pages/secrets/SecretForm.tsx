import { Button, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { fieldErrors } from '../../api/api-error';
import { ErrorNotice } from '../../components/ErrorNotice';
import { showDone } from '../../components/notices';
import { EMPTY_SECRET, type Part, valueOf } from './secret-value';
import { useSetSecret } from './use-secrets';

/** Adds a secret, or replaces one of the same name. */
export function SecretForm() {
  const [name, setName] = useState('');
  const [parts, setParts] = useState(EMPTY_SECRET);
  const [problem, setProblem] = useState<string>();
  const save = useSetSecret();
  const errors = fieldErrors(save.error);
  const touch = () => {
    save.reset();
    setProblem(undefined);
  };
  const change = (index: number, changed: Partial<Part>) => {
    touch();
    setParts(parts.map((part, at) => (at === index ? { ...part, ...changed } : part)));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const checked = valueOf(parts);
    if ('problem' in checked) return setProblem(checked.problem);
    save.mutate(
      { name, value: checked.value },
      {
        onSuccess: () => {
          setName('');
          setParts(EMPTY_SECRET);
          showDone(`${name} is saved.`);
        },
      },
    );
  };
  const isSingle = parts.length === 1;
  return (
    <Paper component="form" onSubmit={submit} noValidate withBorder p="md">
      <Stack gap="sm" align="start">
        {save.error && errors.size === 0 && <ErrorNotice error={save.error} />}
        <TextInput
          label="Name"
          description="What workflows write in use.secrets. The value of a secret that is there is replaced."
          autoComplete="off"
          w={{ base: '100%', xs: 360 }}
          value={name}
          error={errors.get('name')}
          onChange={(event) => {
            touch();
            setName(event.currentTarget.value.trim());
          }}
        />
        {parts.map((part, index) => (
          <Group key={index} align="end">
            <TextInput
              label={isSingle ? 'Part (optional)' : `Part ${index + 1}`}
              placeholder={isSingle ? '' : 'username'}
              autoComplete="off"
              w={{ base: '100%', xs: 160 }}
              value={part.name}
              onChange={(event) => change(index, { name: event.currentTarget.value.trim() })}
            />
            <Textarea
              label={isSingle ? 'Value' : `Value ${index + 1}`}
              autosize
              maxRows={8}
              autoComplete="off"
              w={{ base: '100%', xs: 320 }}
              value={part.value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
            {!isSingle && (
              <Button
                variant="default"
                aria-label={`Remove part ${index + 1}`}
                onClick={() => setParts(parts.filter((_, at) => at !== index))}
              >
                Remove
              </Button>
            )}
          </Group>
        ))}
        {(problem ?? errors.get('value')) && (
          <Text role="alert" size="sm" c="red.9">
            {problem ?? errors.get('value')}
          </Text>
        )}
        <Group gap="xs">
          <Button type="submit" loading={save.isPending} disabled={name === ''}>
            Save secret
          </Button>
          <Button variant="default" onClick={() => setParts([...parts, { name: '', value: '' }])}>
            Add a part
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
