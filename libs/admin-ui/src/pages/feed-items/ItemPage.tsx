import { Paper, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { EmptyState } from '../../components/EmptyState';
import { Facts } from '../../components/Facts';
import { MarkdownView } from '../../components/MarkdownView';
import { OutsideLink } from '../../components/OutsideLink';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { Section } from '../../components/Section';
import { Tags } from '../../components/Tags';
import { TextLink } from '../../components/TextLink';
import { formatDate } from '../../text/format';
import { useItem } from './use-items';

export default function ItemPage() {
  const { feed = '', id = '' } = useParams();
  const query = useItem(feed, id);
  const item = query.data;
  return (
    <>
      <TextLink to="/feed-items">All items</TextLink>
      <PageHeader title={item?.title ?? id} />
      <Stack>
        <QueryState query={query} height={160} />
        {item && (
          <>
            <Paper withBorder p="md">
              <Facts
                facts={{
                  Feed: <TextLink to={`/feeds/${encodeURIComponent(item.feed.id)}`}>{item.feed.title}</TextLink>,
                  Published: item.publishedAt && <Exactly at={item.publishedAt} />,
                  'First seen': <Exactly at={item.firstSeenAt} />,
                  Link: item.url && <OutsideLink href={item.url}>{item.url}</OutsideLink>,
                  Author: item.author,
                  Categories: item.categories.length > 0 ? <Tags tags={item.categories} /> : null,
                  Resource: item.uri,
                }}
              />
            </Paper>
            <Section title="Content">
              {item.content.trim() === '' ? (
                <EmptyState title="No text">The feed has only the title of this item.</EmptyState>
              ) : (
                <MarkdownView label="Content" text={item.content} />
              )}
            </Section>
          </>
        )}
      </Stack>
    </>
  );
}

const Exactly = ({ at }: { at: string }) => <time dateTime={at}>{formatDate(new Date(at))}</time>;
