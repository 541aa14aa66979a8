import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useCallback, useState } from 'react';
import { ErrorNotice } from '../../components/ErrorNotice';
import { LoadingLines } from '../../components/LoadingLines';
import { PageHeader } from '../../components/PageHeader';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { groupSettings } from './setting-rules';
import { TokenUsage } from './TokenUsage';
import { type Setting, useSettings } from './use-settings';
import { SettingForm } from './SettingForm';
import type { SettingFormProps } from './use-draft';

export default function ConfigPage() {
  const { data: settings, error, isPending, refetch } = useSettings();
  const [changedKeys, setChangedKeys] = useState<ReadonlySet<string>>(new Set());
  useUnsavedChanges(changedKeys.size > 0);

  const noteChange = useCallback((key: string, isChanged: boolean) => {
    setChangedKeys((before) => {
      if (before.has(key) === isChanged) return before;
      return isChanged ? new Set([...before, key]) : new Set([...before].filter((other) => other !== key));
    });
  }, []);

  return (
    <>
      <PageHeader title="Config" about="Changes take effect at once, without a restart." />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} m="0 0 md" />}
      {isPending && <LoadingLines count={6} height={120} />}
      <Stack gap="xl">
        {groupSettings(settings ?? []).map(({ name, title, settings: members }) => (
          <Stack key={name} gap="sm">
            <Title order={2} size="h4">
              {title}
            </Title>
            {name === 'llm' && <TokenUsage />}
            {members.map((setting) => (
              <SettingSection key={setting.key} setting={setting} onChangedChange={noteChange} />
            ))}
          </Stack>
        ))}
      </Stack>
    </>
  );
}

function SettingSection({ setting, onChangedChange }: SettingFormProps) {
  return (
    <Paper component="section" aria-label={setting.key} withBorder p="md">
      <Group justify="space-between" align="start" wrap="nowrap" mb="xs">
        <Text size="sm">{setting.description}</Text>
        <SourceBadge setting={setting} />
      </Group>
      <SettingForm setting={setting} onChangedChange={onChangedChange} />
    </Paper>
  );
}

function SourceBadge({ setting: { locked, secret, isSet, source } }: { setting: Setting }) {
  if (locked) return <Badge color="gray">Locked</Badge>;
  if (secret) return isSet ? <Badge color="teal">Set</Badge> : <Badge color="orange">Not set</Badge>;
  return source === 'stored' && <Badge>Changed</Badge>;
}
