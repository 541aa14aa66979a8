import { TextInput } from '@mantine/core';
import { fieldErrors } from '../../../api/api-error';
import { changedFields } from '../../../components/changed-fields';
import { FieldsForm } from '../../../components/FieldsForm';
import { showDone } from '../../../components/notices';
import { NumberField } from '../../../components/NumberField';
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
  const save = useChangeFeed(feed.id);
  const fields = useUnsavedFields(saved, save);
  const { draft, change, endEdit } = fields;
  const errors = fieldErrors(save.error);
  const submit = () =>
    save.mutate(changedFields(toBody(draft), toBody(saved)), {
      onSuccess: () => {
        endEdit(draft);
        showDone('The feed is saved.');
      },
    });
  return (
    <FieldsForm
      title="Settings"
      what="feed"
      fields={fields}
      textOf={textOf}
      error={save.error}
      isReadable={areNumbers(draft.minutes)}
      onSave={submit}
    >
      <TextInput
        w="100%"
        maw={480}
        label="Title"
        description="Leave empty to use the publisher's title."
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
    </FieldsForm>
  );
}

const toBody = ({ title, minutes }: FeedDraft) => ({
  title: title.trim() || null,
  intervalMinutes: readNumber(minutes),
});

const textOf = ({ title, minutes }: FeedDraft): string =>
  [`Title: ${title}`, `Minutes between fetches: ${minutes}`].join('\n');
