import { Group, Paper, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { useState } from 'react';
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
import { DocumentHistory } from './DocumentHistory';
import { MarkdownView } from '../../../components/MarkdownView';
import { Section } from '../../../components/Section';
import { TextBlock } from '../../../components/TextBlock';

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

/** Longer documents are slow to lay out, so their source is shown first. */
const LONG = 200_000;

const VIEWS = [
  { value: 'rendered', label: 'Rendered' },
  { value: 'source', label: 'Source' },
  { value: 'both', label: 'Side by side' },
];

interface DocumentContentProps {
  /** Markdown. */
  text: string;
  marked: { start: number; end: number } | undefined;
}

/** Shows a document rendered, as source, or both. */
function DocumentContent({ text, marked }: DocumentContentProps) {
  const [view, setView] = useState(text.length > LONG ? 'source' : 'rendered');
  return (
    <Section
      title="Content"
      actions={<SegmentedControl aria-label="How to show the content" data={VIEWS} value={view} onChange={setView} />}
    >
      <SimpleGrid cols={{ base: 1, md: view === 'both' ? 2 : 1 }}>
        {view !== 'source' && <MarkdownView label="Content" text={text} marked={marked} />}
        {view !== 'rendered' && <TextBlock label="Content, Markdown" text={text} marked={marked} />}
      </SimpleGrid>
    </Section>
  );
}
