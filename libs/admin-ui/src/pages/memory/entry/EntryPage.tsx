import { OnlyFor } from '../../../components/OnlyFor';
import { Paper, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { Facts } from '../../../components/Facts';
import { LoadingLines } from '../../../components/LoadingLines';
import { Ago, Until } from '../../../components/Moment';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { useMemoryEntry } from '../use-memory';
import { DeleteEntryButton } from './DeleteEntryButton';
import { EntryForm } from './EntryForm';
import { EntryHistory } from './EntryHistory';
import { SavedBy } from './SavedBy';

export default function EntryPage() {
  const { namespace = '', key = '' } = useParams();
  const { data: entry, error, isPending, refetch } = useMemoryEntry({ namespace, key });
  return (
    <>
      <TextLink to="/memory">All memory</TextLink>
      <PageHeader
        title={key}
        actions={
          entry && (
            <OnlyFor role="editor">
              <DeleteEntryButton entry={entry} />
            </OnlyFor>
          )
        }
      />
      <Stack>
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {isPending && <LoadingLines height={160} />}
        {entry && (
          <>
            <Paper withBorder p="md">
              <Facts
                facts={[
                  { title: 'Namespace', value: entry.namespace },
                  { title: 'Resource', value: entry.uri },
                  { title: 'Saved by', value: <SavedBy client={entry.client} program={entry.program} /> },
                  { title: 'Updated', value: <Ago at={entry.updatedAt} /> },
                  { title: 'Created', value: <Ago at={entry.createdAt} /> },
                  { title: 'Expires', value: entry.expiresAt ? <Until at={entry.expiresAt} /> : 'Never' },
                ]}
              />
            </Paper>
            <EntryForm key={entry.uri} entry={entry} />
            <EntryHistory entry={entry} />
          </>
        )}
      </Stack>
    </>
  );
}
