import { OnlyFor } from '../../../components/OnlyFor';
import { Paper, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { Facts } from '../../../components/Facts';
import { Ago, Until } from '../../../components/Moment';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { useMemoryEntry } from '../use-memory';
import { DeleteEntryButton } from './DeleteEntryButton';
import { EntryForm } from './EntryForm';
import { EntryHistory } from './EntryHistory';
import { SavedBy } from './SavedBy';

export default function EntryPage() {
  const { namespace = '', key = '' } = useParams();
  const query = useMemoryEntry({ namespace, key });
  const entry = query.data;
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
        <QueryState query={query} height={160} />
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
