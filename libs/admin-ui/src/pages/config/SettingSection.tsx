import { Badge, Group, Paper, Text } from '@mantine/core';
import { SettingForm } from './SettingForm';
import type { SettingFormProps } from './use-draft';
import type { Setting } from './use-settings';

export function SettingSection({ setting, onChangedChange }: SettingFormProps) {
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
