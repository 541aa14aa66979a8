import { Button, Checkbox, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { clearAnswer, Form } from '../../components/Form';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Section } from '../../components/Section';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { useEnterProgram } from './use-programs';

const EMPTY = { by: 'document', name: '', documentUrl: '', addresses: '', hasSecret: false };

const WAYS = [
  { value: 'document', label: 'Metadata document' },
  { value: 'addresses', label: 'Addresses' },
];

/** Adds a program manually: for programs that cannot register themselves, or if only listed programs are allowed. */
export function EnterProgramForm() {
  const [draft, setDraft] = useState(EMPTY);
  const enter = useEnterProgram();
  const isEntered = draft.name !== '' || draft.documentUrl !== '' || draft.addresses !== '';
  useUnsavedChanges(isEntered && !enter.isPending);
  const redirectUris = draft.addresses.split(/\s+/).filter((address) => address !== '');
  const isByDocument = draft.by === 'document';
  const edit = (part: Partial<typeof EMPTY>) => {
    clearAnswer(enter);
    setDraft({ ...draft, ...part });
  };
  const submit = () => {
    const { name, documentUrl, hasSecret } = draft;
    enter.mutate(isByDocument ? { name, documentUrl } : { name, redirectUris, hasSecret }, {
      onSuccess: () => setDraft(EMPTY),
    });
  };
  return (
    <Section
      title="Register a program"
      about="For a program that cannot register itself, or any program while oauth.programs is listed."
    >
      <Form onSubmit={submit}>
        <Stack align="start">
          <SegmentedControl aria-label="Identified by" data={WAYS} value={draft.by} onChange={(by) => edit({ by })} />
          <TextInput
            label="Name"
            w="100%"
            maw={400}
            maxLength={100}
            value={draft.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          {isByDocument ? (
            <TextInput
              label="URL of its metadata document"
              placeholder="https://claude.ai/oauth/claude-code-client-metadata"
              w="100%"
              maxLength={2000}
              value={draft.documentUrl}
              onChange={(event) => edit({ documentUrl: event.currentTarget.value })}
            />
          ) : (
            <>
              <Textarea
                label="Redirect URIs"
                description="One per line."
                w="100%"
                autosize
                minRows={2}
                value={draft.addresses}
                onChange={(event) => edit({ addresses: event.currentTarget.value })}
              />
              <Checkbox
                label="Confidential: it runs on a server, and keeps a secret"
                checked={draft.hasSecret}
                onChange={(event) => edit({ hasSecret: event.currentTarget.checked })}
              />
            </>
          )}
          {enter.error && <ErrorNotice error={enter.error} />}
          <Button
            type="submit"
            loading={enter.isPending}
            disabled={draft.name === '' || (isByDocument ? draft.documentUrl === '' : redirectUris.length === 0)}
          >
            Register program
          </Button>
        </Stack>
      </Form>
    </Section>
  );
}
