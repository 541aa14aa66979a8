import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { isOutdated } from '../../../api/api-error';
import { type Columns, DataTable } from '../../../components/DataTable';
import { Ago } from '../../../components/Moment';
import { showDone, showError } from '../../../components/notices';
import { OnlyFor } from '../../../components/OnlyFor';
import { QueryState } from '../../../components/QueryState';
import { CompareToggle } from '../../../components/RowButton';
import { Section } from '../../../components/Section';
import { TextChanges } from '../../../components/TextChanges';
import { formatNumber } from '../../../text/format';
import {
  type DocumentVersion,
  type FullDocument,
  useDocumentHistory,
  useDocumentVersion,
  useUpdateDocument,
} from '../use-knowledge';
import { textOf } from './DocumentForm';

/** Lists the previous versions of a document, shows the changes since one, and restores it. */
export function DocumentHistory({ document }: { document: FullDocument }) {
  const query = useDocumentHistory(document.id);
  const { data } = query;
  const [compared, compare] = useState<number | null>(null);
  const columns: Columns<DocumentVersion> = {
    Version: ({ version }) => version,
    Title: ({ title }) => title,
    'Saved by': ({ source }) => source ?? 'Unknown',
    Saved: ({ savedAt }) => <Ago at={savedAt} />,
    Characters: ({ characters }) => formatNumber(characters),
    'What to do': ({ version }) => <CompareToggle version={version} compared={compared} onCompare={compare} />,
  };
  return (
    <Section title="History" about={`This is version ${document.version}. The last 50 previous versions are kept.`}>
      <Stack gap="sm">
        <QueryState query={query} count={2} />
        {data?.length === 0 && <Text size="sm">There are no previous versions.</Text>}
        {data && data.length > 0 && (
          <DataTable label="Previous versions" columns={columns} rows={data} keyOf={({ version }) => String(version)} />
        )}
        {compared !== null && <FormerVersion document={document} version={compared} onRestored={() => compare(null)} />}
      </Stack>
    </Section>
  );
}

interface FormerVersionProps {
  document: FullDocument;
  version: number;
  onRestored: () => void;
}

function FormerVersion({ document, version, onRestored }: FormerVersionProps) {
  const query = useDocumentVersion(document.id, version);
  const former = query.data;
  const update = useUpdateDocument(document);
  if (!former) return <QueryState query={query} height={120} count={1} />;
  const { title, content, tags } = former;
  const restore = () =>
    update.mutate(
      { title, content, tags },
      {
        onSuccess: () => {
          onRestored();
          showDone(`Version ${version} is restored. The history keeps the one that it replaces.`);
        },
        onError: (problem) =>
          showError(isOutdated(problem) ? 'Somebody has changed the document: compare again.' : problem),
      },
    );
  return (
    <Stack gap="xs">
      <Text size="sm">What has changed since version {version}:</Text>
      <TextChanges label={`Changes since version ${version}`} before={textOf(former)} after={textOf(document)} />
      <OnlyFor role="editor">
        <Group>
          <Button variant="default" loading={update.isPending} onClick={restore}>
            Restore version {version}
          </Button>
        </Group>
      </OnlyFor>
    </Stack>
  );
}
