import { Alert, Group, List, Stack, Text } from '@mantine/core';
import { BookIcon } from '@primer/octicons-react';
import { type Columns, TablePanel } from '../../../components/DataTable';
import { DownloadButton } from '../../../components/DownloadButton';
import { EmptyState } from '../../../components/EmptyState';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { FileImportButton } from '../../../components/FileImportButton';
import { LinkButton } from '../../../components/LinkButton';
import { Ago } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { SearchField } from '../../../components/SearchField';
import { TextLink } from '../../../components/TextLink';
import { useSearch } from '../../../components/use-search';
import { countOf, formatNumber } from '../../../text/format';
import { FeedState } from '../FeedState';
import { type Feed, type OpmlImport, useFeeds, useImportOpml } from '../use-feeds';
import { AddFeedForm } from './AddFeedForm';

const COLUMNS: Columns<Feed> = {
  Feed: ({ id, title, url }) => (
    <div>
      <TextLink to={`/feeds/${encodeURIComponent(id)}`}>{title}</TextLink>
      <Text size="sm" c="dimmed">
        {url}
      </Text>
    </div>
  ),
  State: (feed) => <FeedState feed={feed} />,
  Items: ({ items }) => formatNumber(items),
  'Last fetched': ({ lastFetchedAt }) => (lastFetchedAt ? <Ago at={lastFetchedAt} /> : 'Not yet'),
};

export default function FeedsPage() {
  const { field, settledSearch } = useSearch();
  const feeds = useFeeds(settledSearch);
  const opml = useImportOpml();
  return (
    <>
      <PageHeader
        title="Feeds"
        about="News that the service fetches for assistants to read and search."
        actions={
          <Group gap="xs">
            <LinkButton to="/feed-items" leftSection={<BookIcon size={16} aria-hidden />}>
              Read items
            </LinkButton>
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
        <SearchField label="Search feeds" placeholder="Part of a title or an address" {...field} />
        <TablePanel
          label="Feeds"
          query={feeds}
          columns={COLUMNS}
          rows={feeds.data?.items}
          keyOf={({ id }) => id}
          pages={feeds}
          empty={
            <EmptyState title={settledSearch ? 'No feed found' : 'No feeds yet'}>
              {settledSearch
                ? 'Try a shorter search.'
                : 'Add the address of a feed or of a web page that has one, or import the OPML file of a feed reader.'}
            </EmptyState>
          }
        />
      </Stack>
    </>
  );
}

interface OpmlImportSummaryProps {
  result: OpmlImport;
  onClose: () => void;
}

function OpmlImportSummary({ result: { added, existing, refused }, onClose }: OpmlImportSummaryProps) {
  return (
    <Alert
      role="status"
      color={refused.length > 0 ? 'orange' : 'teal'}
      title="The import is done"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text size="sm">
        {countOf(added.length, 'feed')} added, to be fetched soon; {countOf(existing, 'feed')} there before.
      </Text>
      {refused.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            {countOf(refused.length, 'feed')} refused:
          </Text>
          <List size="sm">
            {refused.map(({ url, reason }, index) => (
              <List.Item key={index}>
                {url}: {reason}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
