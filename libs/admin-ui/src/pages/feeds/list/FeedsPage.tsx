import { OnlyFor } from '../../../components/OnlyFor';
import { Button, Group, Paper, Stack } from '@mantine/core';
import { BookIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { DownloadButton } from '../../../components/DownloadButton';
import { EmptyState } from '../../../components/EmptyState';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { FileImportButton } from '../../../components/FileImportButton';
import { LoadMore } from '../../../components/LoadMore';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { SearchField } from '../../../components/SearchField';
import { useSearch } from '../../../components/use-search';
import { useFeeds, useImportOpml } from '../use-feeds';
import { AddFeedForm } from './AddFeedForm';
import { FeedsTable } from './FeedsTable';
import { OpmlImportSummary } from './OpmlImportSummary';

export default function FeedsPage() {
  const { search, setSearch, settledSearch } = useSearch();
  const feeds = useFeeds(settledSearch);
  const opml = useImportOpml();
  const items = feeds.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <PageHeader
        title="Feeds"
        about="News that the service fetches for assistants to read and search."
        actions={
          <Group gap="xs">
            <Button
              component={Link}
              to="/feed-items"
              variant="default"
              leftSection={<BookIcon size={16} aria-hidden />}
            >
              Read items
            </Button>
            <OnlyFor role="editor">
              <FileImportButton
                label="Import OPML"
                accept=".opml,.xml"
                loading={opml.isPending}
                onFiles={(files) => opml.mutate(files)}
              />
            </OnlyFor>
            <DownloadButton label="Export OPML" href="/admin/api/feeds/opml" />
          </Group>
        }
      />
      <Stack>
        {opml.error && <ErrorNotice error={opml.error} />}
        {opml.data && <OpmlImportSummary result={opml.data} onClose={opml.reset} />}
        <OnlyFor role="editor">
          <AddFeedForm />
        </OnlyFor>
        <SearchField
          label="Search feeds"
          placeholder="Part of a title or an address"
          value={search}
          onChange={setSearch}
        />
        <QueryState query={feeds} />
        {items && (
          <Paper withBorder p="md">
            {items.length > 0 ? (
              <FeedsTable feeds={items} />
            ) : (
              <EmptyState title={settledSearch ? 'No feed found' : 'No feeds yet'}>
                {settledSearch
                  ? 'Try a shorter search.'
                  : 'Add the address of a feed or of a web page that has one, or import the OPML file of a feed reader.'}
              </EmptyState>
            )}
            <LoadMore pages={feeds} />
          </Paper>
        )}
      </Stack>
    </>
  );
}
