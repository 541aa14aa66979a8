import { Group, Paper, Stack } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { DeleteButton } from '../../../components/DeleteButton';
import { Facts } from '../../../components/Facts';
import { LinkButton } from '../../../components/LinkButton';
import { Ago } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import { useDeleteDocument, useDocument } from '../use-knowledge';
import { DocumentContent } from './DocumentContent';
import { DocumentHistory } from './DocumentHistory';

export default function DocumentPage() {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const query = useDocument(id);
  const document = query.data;
  const deletion = useDeleteDocument({ id, version: document?.version ?? 0 });
  return (
    <>
      <TextLink to="/knowledge">All documents</TextLink>
      <PageHeader
        title={document?.title ?? id}
        actions={
          document && (
            <OnlyFor role="editor">
              <Group gap="xs">
                <LinkButton to={`/knowledge/${encodeURIComponent(id)}/edit`} variant="filled">
                  Edit
                </LinkButton>
                <DeleteButton
                  deletion={deletion}
                  title="Delete this document?"
                  text={`Assistants will no longer find “${document.title}”. It can be restored with its history for 30 days.`}
                  confirm="Delete document"
                  done={`${document.title} is deleted. It can be restored under Removed documents.`}
                  to="/knowledge"
                />
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
                facts={{
                  Tags: document.tags.length > 0 ? <Tags tags={document.tags} /> : null,
                  Resource: document.uri,
                  File: document.path,
                  Source: document.source,
                  Changed: <Ago at={document.updatedAt} />,
                  Created: <Ago at={document.createdAt} />,
                }}
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
