import { Button, NumberInput, Stack, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { clearAnswer } from '../../../components/clear-answer';
import { changedFields } from '../../../components/changed-fields';
import { FieldsChangedMeanwhile } from '../../../components/FieldsChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { Section } from '../../../components/Section';
import { useUnsavedFields } from '../../../components/use-unsaved-changes';
import { type Feed, useChangeFeed } from '../use-feeds';

interface FeedDraft {
  /** '' = the publisher's title. */
  title: string;
  /** '' = the publisher's interval. */
  minutes: number | string;
}

export function FeedForm({ feed }: { feed: Feed }) {
  const publishedTitle = feed.publishedTitle ?? feed.url;
  const title = feed.title === publishedTitle ? '' : feed.title;
  const saved: FeedDraft = { title, minutes: feed.intervalMinutes ?? '' };
  const fields = useUnsavedFields(saved);
  const { draft, change: enter, endEdit, hasChanges, isOutdated } = fields;
  const save = useChangeFeed(feed.id);
  const change = (changed: Partial<FeedDraft>) => {
    clearAnswer(save);
    enter(changed);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(changedFields(toBody(draft), toBody(saved)), {
      onSuccess: () => {
        endEdit(draft);
        showDone('The feed is saved.');
      },
    });
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
            value={draft.title}
            onChange={(event) => change({ title: event.currentTarget.value })}
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
            value={draft.minutes}
            onChange={(minutes) => change({ minutes })}
          />
          <FieldsChangedMeanwhile what="feed" fields={fields} textOf={textOf} isSaving={save.isPending} />
          {save.error && <ErrorNotice error={save.error} />}
          <Button type="submit" variant="default" loading={save.isPending} disabled={!hasChanges || isOutdated}>
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  );
}

const toBody = ({ title, minutes }: FeedDraft) => ({
  title: title.trim() || null,
  intervalMinutes: minutes === '' ? null : Number(minutes),
});

const textOf = ({ title, minutes }: FeedDraft): string =>
  [`Title: ${title}`, `Minutes between fetches: ${minutes}`].join('\n');
