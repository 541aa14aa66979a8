import { Button, NumberInput, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { Section } from '../../../components/Section';
import { type Feed, useChangeFeed } from '../use-feeds';

export function FeedForm({ feed }: { feed: Feed }) {
  const publishedTitle = feed.publishedTitle ?? feed.url;
  const [title, setTitle] = useState(feed.title === publishedTitle ? '' : feed.title);
  const [minutes, setMinutes] = useState<number | string>(feed.intervalMinutes ?? '');
  const save = useChangeFeed(feed.id);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(
      { title: title.trim() || null, intervalMinutes: minutes === '' ? null : Number(minutes) },
      { onSuccess: () => showDone('The feed is saved.') },
    );
  };
  return (
    <Section title="Settings">
      <form onSubmit={submit} noValidate>
        <Stack align="start">
          <TextInput
            w="100%"
            maw={480}
            label="Title"
            description="Leave empty to use the title of the publisher."
            placeholder={publishedTitle}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <NumberInput
            w="100%"
            maw={480}
            label="Minutes between fetches"
            description={`Empty: ${feed.publishedIntervalMinutes === null ? 'the setting rss.poll_interval_minutes applies' : `the publisher asks for ${feed.publishedIntervalMinutes}`}.`}
            allowDecimal={false}
            min={5}
            max={10_080}
            clampBehavior="none"
            value={minutes}
            onChange={setMinutes}
          />
          {save.error && <ErrorNotice error={save.error} />}
          <Button type="submit" variant="default" loading={save.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
