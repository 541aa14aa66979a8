import { OnlyFor } from '../../../components/OnlyFor';
import { Button, Group, Paper, Stack } from '@mantine/core';
import { Link, useParams, useSearchParams } from 'react-router';
import { Facts } from '../../../components/Facts';
import { Ago } from '../../../components/Moment';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import { useDocument } from '../use-knowledge';
import { DocumentContent } from './DocumentContent';
import { DeleteDocumentButton } from './DeleteDocumentButton';
import { DocumentHistory } from './DocumentHistory';

export default function DocumentPage() {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const query = useDocument(id);
  const document = query.data;
  return (
    <>
      <TextLink to="/knowledge">All documents</TextLink>
      <PageHeader
        title={document?.title ?? id}
        actions={
          document && (
            <OnlyFor role="editor">
              <Group gap="xs">
                <Button component={Link} to={`/knowledge/${encodeURIComponent(id)}/edit`}>
                  Edit
                </Button>
                <DeleteDocumentButton document={document} />
              </Group>
            </OnlyFor>
          )
        }
      />
      <Stack>
        <QueryState query={query} height={160} />
        {document && (
          <>
            <Paper withBorder p="md">
              <Facts
                facts={[
                  { title: 'Tags', value: document.tags.length > 0 ? <Tags tags={document.tags} /> : null },
                  { title: 'Resource', value: document.uri },
                  { title: 'File', value: document.path },
                  { title: 'Source', value: document.source },
                  { title: 'Changed', value: <Ago at={document.updatedAt} /> },
                  { title: 'Created', value: <Ago at={document.createdAt} /> },
                ]}
              />
            </Paper>
            <DocumentContent key={id} text={document.content} marked={markedRange(search.get('marked'))} />
            <DocumentHistory document={document} />
          </>
        )}
      </Stack>
    </>
  );
}

/** Parses the range of the content that a search has found, such as 120-480. */
function markedRange(written: string | null) {
  const [, start, end] = /^(\d{1,7})-(\d{1,7})$/.exec(written ?? '') ?? [];
  return start === undefined || end === undefined ? undefined : { start: Number(start), end: Number(end) };
}
