import { Button, Stack, TextInput } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { fieldErrors } from '../../../api/api-error';
import { clearAnswer } from '../../../components/clear-answer';
import { changedFields } from '../../../components/changed-fields';
import { FieldsChangedMeanwhile } from '../../../components/FieldsChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { NumberField } from '../../../components/NumberField';
import { Section } from '../../../components/Section';
import { useUnsavedFields } from '../../../components/use-unsaved-changes';
import { areNumbers, readNumber, textOfNumber } from '../../../json-schema/number';
import { type Feed, useChangeFeed } from '../use-feeds';

interface FeedDraft {
  /** '' = the publisher's title. */
  title: string;
  /** '' = the publisher's interval. */
  minutes: string;
}

export function FeedForm({ feed }: { feed: Feed }) {
  const publishedTitle = feed.publishedTitle ?? feed.url;
  const title = feed.title === publishedTitle ? '' : feed.title;
  const saved: FeedDraft = { title, minutes: textOfNumber(feed.intervalMinutes) };
  const fields = useUnsavedFields(saved);
  const { draft, change: enter, endEdit, hasChanges, isOutdated } = fields;
  const save = useChangeFeed(feed.id);
  const errors = fieldErrors(save.error);
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
            error={errors.get('title')}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          <NumberField
            w="100%"
            maw={480}
            label="Minutes between fetches"
            description={`Empty: ${feed.publishedIntervalMinutes === null ? 'the setting rss.poll_interval_minutes applies' : `the publisher asks for ${feed.publishedIntervalMinutes}`}.`}
            value={draft.minutes}
            error={errors.get('intervalMinutes')}
            onChange={(minutes) => change({ minutes })}
          />
          <FieldsChangedMeanwhile what="feed" fields={fields} textOf={textOf} isSaving={save.isPending} />
          {save.error && errors.size === 0 && <ErrorNotice error={save.error} />}
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            disabled={!hasChanges || isOutdated || !areNumbers(draft.minutes)}
          >
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  );
}

const toBody = ({ title, minutes }: FeedDraft) => ({
  title: title.trim() || null,
  intervalMinutes: readNumber(minutes),
});

const textOf = ({ title, minutes }: FeedDraft): string =>
  [`Title: ${title}`, `Minutes between fetches: ${minutes}`].join('\n');
