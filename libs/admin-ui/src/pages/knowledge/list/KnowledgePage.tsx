import { Group, Stack, Text } from '@mantine/core';
import { TrashIcon } from '@primer/octicons-react';
import { useMay } from '../../../api/session';
import { LinkButton, NewButton } from '../../../components/LinkButton';
import { OnlyFor } from '../../../components/OnlyFor';
import { chosenFiles } from '../../../components/chosen-files';
import { DownloadButton } from '../../../components/DownloadButton';
import { EmptyState } from '../../../components/EmptyState';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { DropHint, useFileDrop } from '../../../components/FileDrop';
import { FileImportButton } from '../../../components/FileImportButton';
import { LoadMore } from '../../../components/LoadMore';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { SearchField } from '../../../components/SearchField';
import { useSearch } from '../../../components/use-search';
import { ImportPlan } from '../import/ImportPlan';
import { ImportProgress, ImportSummary } from '../import/ImportSummary';
import { useImport } from '../import/use-import';
import { ChoiceBar } from '../choice/ChoiceBar';
import { useChoice } from '../choice/use-choice';
import { TagFilter } from '../tags/TagFilter';
import { useDocuments } from '../use-knowledge';
import { DocumentCard } from './DocumentCard';
import { SemanticNotice } from './SemanticNotice';
import { countOf, formatNumber } from '../../../text/format';
import { useDocumentCount, type Wanted } from '../use-collection';

const ACCEPTED = '.md,.mdx,.markdown,.txt,.rst,.adoc,.html,.htm,.pdf,.docx,.epub,.json';

export default function KnowledgePage() {
  const { field, settledSearch } = useSearch();
  const { search: tag, setSearch: setTag, settledSearch: settledTag } = useSearch('tag');
  const wanted = { search: settledSearch, tag: settledTag };
  const documents = useDocuments(settledSearch, settledTag);
  const may = useMay('editor');
  const files = useImport();
  const isBusy = files.isComparing || files.isImporting;
  const isOver = useFileDrop((dropped) => may && !isBusy && files.choose(dropped));
  const items = documents.data?.items;
  const choice = useChoice(JSON.stringify([settledSearch, settledTag]));
  const isNarrowed = settledSearch !== '' || settledTag !== '';
  return (
    <>
      <PageHeader
        title="Knowledge"
        about="Documents that assistants search and read."
        actions={
          <Group gap="xs">
            <OnlyFor role="editor">
              <NewButton to="/knowledge/new">New document</NewButton>
              <FileImportButton
                label="Import files"
                accept={ACCEPTED}
                loading={isBusy}
                onFiles={(chosen) => files.choose(chosenFiles(chosen))}
              />
              <FileImportButton
                label="Import folder"
                accept=""
                isFolder
                loading={isBusy}
                onFiles={(chosen) => files.choose(chosenFiles(chosen))}
              />
            </OnlyFor>
            <LinkButton to="/knowledge-trash" leftSection={<TrashIcon size={16} aria-hidden />}>
              Removed documents
            </LinkButton>
            <DownloadButton label="Export" href="/admin/api/knowledge/export" />
          </Group>
        }
      />
      {isOver && may && (
        <DropHint>Drop files or folders to import them: Markdown, text, HTML, PDF, DOCX or EPUB</DropHint>
      )}
      <Stack>
        {isBusy && <ImportProgress doing={files.isComparing ? 'Comparing' : 'Importing'} {...files.progress} />}
        {files.error && <ErrorNotice error={files.error} />}
        {files.plan && (
          <ImportPlan
            key={files.plan.name}
            plan={files.plan}
            isBusy={isBusy}
            onRename={files.rename}
            onImport={files.carryOut}
            onCancel={files.close}
          />
        )}
        {files.results && <ImportSummary files={files.results} onClose={files.close} />}
        <Group align="end">
          <SearchField label="Search documents" placeholder="What the documents say" {...field} />
          <TagFilter value={tag} onChange={setTag} />
        </Group>
        <SemanticNotice />
        <QueryState query={documents} height={96} />
        {items && <DocumentCount wanted={wanted} shown={items.length} />}
        {may && items && <ChoiceBar choice={choice} shown={items} hasMore={documents.hasNextPage} wanted={wanted} />}
        {items?.map((document) => (
          <DocumentCard
            key={document.id}
            document={document}
            isChosen={choice.has(document.id)}
            onChoose={may ? (isChosen) => (isChosen ? choice.choose([document]) : choice.leave([document])) : undefined}
          />
        ))}
        {items?.length === 0 && (
          <EmptyState title={isNarrowed ? 'No document found' : 'No documents yet'}>
            {isNarrowed
              ? 'Try other words, or remove the tag.'
              : 'Write a document, or import files or folders: Markdown, text, HTML, PDF, DOCX, EPUB, or an export. They may be dropped anywhere on this page.'}
          </EmptyState>
        )}
      </Stack>
      <LoadMore pages={documents} />
    </>
  );
}

const bestOf = (shown: number) => (shown === 1 ? 'One match' : `The ${formatNumber(shown)} best matches`);

interface DocumentCountProps {
  wanted: Wanted;
  /** Number of documents on the page. */
  shown: number;
}

/** Shows the number of documents, and of those in the list. */
function DocumentCount({ wanted, shown }: DocumentCountProps) {
  const { data } = useDocumentCount(wanted);
  if (!data || data.documents === 0) return null;
  const all = countOf(data.documents, 'document');
  const conditions = [
    ...(wanted.search === '' ? [] : ['all the words']),
    ...(wanted.tag === '' ? [] : [`the tag ${wanted.tag.toLowerCase()}`]),
  ];
  const have = data.matching === 1 ? 'has' : 'have';
  const matching = `${formatNumber(data.matching)} of ${all} ${have} ${conditions.join(' and ')}`;
  return (
    <Text size="sm" c="dimmed" role="status" aria-label="Number of documents">
      {wanted.search !== '' && `${bestOf(shown)}; `}
      {conditions.length === 0 ? all : matching}
    </Text>
  );
}
