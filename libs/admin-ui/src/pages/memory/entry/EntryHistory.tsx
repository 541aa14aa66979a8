import { Stack, Text } from '@mantine/core';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { Ago } from '../../../components/Moment';
import { Section } from '../../../components/Section';
import { Tags } from '../../../components/Tags';
import { TextBlock } from '../../../components/TextBlock';
import { type MemoryName, type MemoryVersion, useMemoryHistory } from '../use-memory';

export function EntryHistory({ entry: { namespace, key } }: { entry: MemoryName }) {
  const { data, error, isPending, refetch } = useMemoryHistory({ namespace, key });
  return (
    <Section title="History" about="Former versions of the entry.">
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <LoadingLines count={2} />}
      {data?.items.length === 0 && <Text size="sm">It was never changed.</Text>}
      <Stack gap="lg">
        {data?.items.map((version) => (
          <Version key={version.version} version={version} />
        ))}
      </Stack>
    </Section>
  );
}

function Version({
  version: { version, content, tags, importance, client, program, savedAt },
}: {
  version: MemoryVersion;
}) {
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        Version {version}, saved by {program ? `${program} (${client})` : client} <Ago at={savedAt} />, importance{' '}
        {importance}
      </Text>
      <TextBlock label={`Version ${version}`} text={content} />
      <Tags tags={tags} />
    </Stack>
  );
}
