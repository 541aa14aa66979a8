import { Button, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors } from '../../api/api-error';
import { clearAnswer, Form } from '../../components/Form';
import { ErrorNotice } from '../../components/ErrorNotice';
import { showDone } from '../../components/notices';
import { Section } from '../../components/Section';
import { useChangePassword } from './use-account';

const EMPTY = { present: '', password: '', repeated: '' };

export function PasswordForm({ user }: { user: string }) {
  const [draft, setDraft] = useState(EMPTY);
  const change = useChangePassword();
  const errors = fieldErrors(change.error);
  const isRepeated = draft.password === draft.repeated;
  const edit = (part: Partial<typeof EMPTY>) => {
    clearAnswer(change);
    setDraft({ ...draft, ...part });
  };
  const submit = () => {
    const { present, password } = draft;
    change.mutate(
      { present, password },
      {
        onSuccess: () => {
          setDraft(EMPTY);
          showDone('Your password is changed. Your other sessions have ended.');
        },
      },
    );
  };
  return (
    <Section title="Password" about="At least 12 characters. Your other sessions will end.">
      <Form onSubmit={submit}>
        <Stack align="start">
          {/* For password managers: the user name of the password. */}
          <input type="text" name="username" autoComplete="username" value={user} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            w="100%"
            maw={400}
            value={draft.present}
            error={errors.get('present')}
            onChange={(event) => edit({ present: event.currentTarget.value })}
          />
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            w="100%"
            maw={400}
            value={draft.password}
            error={errors.get('password')}
            onChange={(event) => edit({ password: event.currentTarget.value })}
          />
          <PasswordInput
            label="Repeat the new password"
            autoComplete="new-password"
            w="100%"
            maw={400}
            value={draft.repeated}
            error={draft.repeated !== '' && !isRepeated && 'is not the same'}
            onChange={(event) => edit({ repeated: event.currentTarget.value })}
          />
          {change.error && errors.size === 0 && <ErrorNotice error={change.error} />}
          <Button
            type="submit"
            loading={change.isPending}
            disabled={draft.present === '' || draft.password === '' || !isRepeated}
          >
            Change password
          </Button>
        </Stack>
      </Form>
    </Section>
  );
}
