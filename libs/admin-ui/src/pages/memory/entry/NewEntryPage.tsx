import { Autocomplete, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { fieldErrors, isOutdated } from '../../../api/api-error';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Form } from '../../../components/Form';
import { LinkButton } from '../../../components/LinkButton';
import { showDone } from '../../../components/notices';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { useUnsavedDraft } from '../../../components/use-unsaved-changes';
import { addressOf, type SavedEntry, savedText, useCreateEntry, useNamespaces } from '../use-memory';
import { EntryFields } from './EntryFields';
import { expiryOf, problemOfDays } from './expiry';

const EMPTY = {
  namespace: 'shared',
  key: '',
  content: '',
  importance: 3,
  tags: [] as string[],
  expiresInDays: '', // '' = never
};

export default function NewEntryPage() {
  const navigate = useNavigate();
  const create = useCreateEntry();
  const { data: namespaces = [] } = useNamespaces();
  const { draft, setDraft, endEdit, hasChanges } = useUnsavedDraft(EMPTY, create);
  const errors = fieldErrors(create.error);
  const daysProblem = problemOfDays(draft.expiresInDays);
  const edit = (changed: Partial<typeof EMPTY>) => setDraft({ ...draft, ...changed });
  const finish = (saved: SavedEntry) => {
    showDone(savedText(saved));
    void navigate(addressOf(saved), endEdit(draft));
  };
  const submit = () => create.mutate({ ...draft, expiresInDays: expiryOf(draft.expiresInDays) }, { onSuccess: finish });
  return (
    <>
      <TextLink to="/memory">All memory</TextLink>
      <PageHeader title="New entry" />
      <Paper component={Form} onSubmit={submit} withBorder p="md">
        <Stack>
          <Autocomplete
            label="Namespace"
            description='A project or person. Use "shared" for everyone.'
            maw={480}
            error={errors.get('namespace')}
            data={namespaces.map(({ namespace }) => namespace)}
            value={draft.namespace}
            onChange={(namespace) => edit({ namespace })}
          />
          <TextInput
            label="Key"
            description="Name of the entry, unique in its namespace."
            maw={480}
            error={errors.get('key')}
            autoComplete="off"
            value={draft.key}
            onChange={(event) => edit({ key: event.currentTarget.value })}
          />
          <EntryFields draft={draft} onChange={edit} />
          <TextInput
            label="Expires in days"
            description="Empty: never."
            maw={320}
            inputMode="decimal"
            error={daysProblem}
            value={draft.expiresInDays}
            onChange={(event) => edit({ expiresInDays: event.currentTarget.value })}
          />
          {create.error && !errors.has('key') && !errors.has('namespace') && <ErrorNotice error={create.error} />}
          {isOutdated(create.error) && (
            <Text size="sm">
              <TextLink to={addressOf(draft)}>Open {draft.key}</TextLink> to change it. Your text stays here until you
              leave.
            </Text>
          )}
          <Group gap="xs">
            <Button
              type="submit"
              loading={create.isPending}
              disabled={!hasChanges || daysProblem !== null || draft.key.trim() === '' || draft.content.trim() === ''}
            >
              Save
            </Button>
            <LinkButton to="/memory">Cancel</LinkButton>
          </Group>
        </Stack>
      </Paper>
    </>
  );
}
