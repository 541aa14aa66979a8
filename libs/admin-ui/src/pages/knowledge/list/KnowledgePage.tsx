import { useMay } from '../../../api/session';
import { OnlyFor } from '../../../components/OnlyFor';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { PlusIcon, TagIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { DownloadButton } from '../../../components/DownloadButton';
import { EmptyState } from '../../../components/EmptyState';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { DropHint, useFileDrop } from '../../../components/FileDrop';
import { FileImportButton } from '../../../components/FileImportButton';
import { LoadingLines } from '../../../components/LoadingLines';
import { LoadMore } from '../../../components/LoadMore';
import { PageHeader } from '../../../components/PageHeader';
import { SearchField } from '../../../components/SearchField';
import { useSearch } from '../../../components/use-search';
import { useDocuments, useImportFiles } from '../use-knowledge';
import { DocumentCard } from './DocumentCard';
import { ImportProgress, ImportSummary } from './ImportSummary';
import { MeaningNotice } from './MeaningNotice';

export default function KnowledgePage() {
  const { search, setSearch, settledSearch } = useSearch();
  const { search: tag, setSearch: setTag, settledSearch: settledTag } = useSearch('tag');
  const documents = useDocuments(settledSearch, settledTag);
  const may = useMay('editor');
  const files = useImportFiles();
  const isOver = useFileDrop((dropped) => may && !files.isPending && files.mutate(dropped));
  const items = documents.data?.pages.flatMap((page) => page.items);
  const isNarrowed = settledSearch !== '' || settledTag !== '';
  return (
    <>
      <PageHeader
        title="Knowledge"
        about="Documents that assistants search and read."
        actions={
          <Group gap="xs">
            <OnlyFor role="editor">
              <Button component={Link} to="/knowledge/new" leftSection={<PlusIcon size={16} aria-hidden />}>
                New document
              </Button>
              <FileImportButton
                label="Import files"
                accept=".md,.markdown,.txt,.html,.htm"
                loading={files.isPending}
                onFiles={(chosen) => files.mutate(chosen)}
              />
            </OnlyFor>
            <DownloadButton label="Export" href="/admin/api/knowledge/export" />
          </Group>
        }
      />
      {isOver && may && <DropHint>Drop Markdown, text or HTML files to import them</DropHint>}
      <Stack>
        {files.isPending && <ImportProgress {...files.progress} />}
        {files.error && <ErrorNotice error={files.error} />}
        {files.data && <ImportSummary files={files.data} onClose={files.reset} />}
        <Group align="end">
          <SearchField
            label="Search documents"
            placeholder="What the documents say"
            value={search}
            onChange={setSearch}
          />
          <TextInput
            label="Tag"
            w={{ base: '100%', xs: 240 }}
            placeholder="Any"
            leftSection={<TagIcon size={16} aria-hidden />}
            value={tag}
            onChange={(event) => setTag(event.currentTarget.value)}
          />
        </Group>
        <MeaningNotice />
        {documents.error && <ErrorNotice error={documents.error} onRetry={() => void documents.refetch()} />}
        {documents.isPending && <LoadingLines height={96} />}
        {items?.map((document) => (
          <DocumentCard key={document.id} document={document} />
        ))}
        {items?.length === 0 && (
          <EmptyState title={isNarrowed ? 'No document found' : 'No documents yet'}>
            {isNarrowed
              ? 'Try other words, or remove the tag.'
              : 'Write a document, or import files: Markdown, plain text or HTML. They may be dropped anywhere on this page.'}
          </EmptyState>
        )}
      </Stack>
      <LoadMore pages={documents} />
    </>
  );
}
