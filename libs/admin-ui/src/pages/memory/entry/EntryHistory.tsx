import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { confirm } from '../../../components/confirm';
import { Ago } from '../../../components/Moment';
import { showOutcome } from '../../../components/notices';
import { OnlyFor } from '../../../components/OnlyFor';
import { QueryState } from '../../../components/QueryState';
import { Section } from '../../../components/Section';
import { Tags } from '../../../components/Tags';
import { TextBlock } from '../../../components/TextBlock';
import { type MemoryEntry, type MemoryVersion, useChangeEntry, useMemoryHistory } from '../use-memory';
import { SavedBy } from './SavedBy';

export function EntryHistory({ entry }: { entry: MemoryEntry }) {
  const query = useMemoryHistory(entry);
  const { data } = query;
  const save = useChangeEntry(entry);
  const restore = ({ version, content, tags, importance }: MemoryVersion) =>
    confirm({
      title: `Restore version ${version}?`,
      text: 'Restores this version. The current text is kept in the history.',
      confirm: 'Restore it',
      onConfirm: () => showOutcome(save.mutateAsync({ content, tags, importance }), `Version ${version} is restored.`),
    });
  return (
    <Section title="History" about="Previous versions of the entry.">
      <QueryState query={query} count={2} />
      {data?.items.length === 0 && <Text size="sm">There are no previous versions.</Text>}
      <Stack gap="lg">
        {data?.items.map((version) => (
          <Version key={version.version} version={version}>
            <OnlyFor role="editor">
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Restore version ${version.version}`}
                onClick={() => restore(version)}
              >
                Restore
              </Button>
            </OnlyFor>
          </Version>
        ))}
      </Stack>
    </Section>
  );
}

function Version({
  version: { version, content, tags, importance, client, program, savedAt },
  children,
}: {
  version: MemoryVersion;
  children: ReactNode;
}) {
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        Version {version}, saved by <SavedBy client={client} program={program} /> <Ago at={savedAt} />, importance{' '}
        {importance}
      </Text>
      <TextBlock label={`Version ${version}`} text={content} />
      <Tags tags={tags} />
      <div>{children}</div>
    </Stack>
  );
}
