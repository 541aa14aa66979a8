import { Paper, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { DeleteButton } from '../../../components/DeleteButton';
import { Facts } from '../../../components/Facts';
import { Ago, Until } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { useDeleteEntry, useMemoryEntry } from '../use-memory';
import { EntryForm } from './EntryForm';
import { EntryHistory } from './EntryHistory';
import { SavedBy } from './SavedBy';

export default function EntryPage() {
  const { namespace = '', key = '' } = useParams();
  const query = useMemoryEntry({ namespace, key });
  const entry = query.data;
  const deletion = useDeleteEntry({ namespace, key, version: entry?.version ?? 0 });
  return (
    <>
      <TextLink to="/memory">All memory</TextLink>
      <PageHeader
        title={key}
        actions={
          entry && (
            <OnlyFor role="editor">
              <DeleteButton
                deletion={deletion}
                title="Delete this entry?"
                text={`${key} is deleted with its history. This cannot be undone.`}
                confirm="Delete entry"
                done={`${key} is deleted.`}
                to="/memory"
              />
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
                facts={{
                  Namespace: entry.namespace,
                  Resource: entry.uri,
                  'Saved by': <SavedBy client={entry.client} program={entry.program} />,
                  Updated: <Ago at={entry.updatedAt} />,
                  Created: <Ago at={entry.createdAt} />,
                  Expires: entry.expiresAt ? <Until at={entry.expiresAt} /> : 'Never',
                }}
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
