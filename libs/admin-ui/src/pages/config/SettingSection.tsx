import { Badge, Group, Paper, Text } from '@mantine/core';
import { PlainSettingForm } from './PlainSettingForm';
import { SecretSettingForm } from './SecretSettingForm';
import { boundsOf, defaultOf } from './setting-rules';
import type { Setting } from './use-settings';

export interface SettingFormProps {
  setting: Setting;
  /** Told whenever it becomes changed or unchanged. */
  onChangedChange: (key: string, isChanged: boolean) => void;
}

export function SettingSection({ setting, onChangedChange }: SettingFormProps) {
  const Form = setting.secret ? SecretSettingForm : PlainSettingForm;
  const bounds = boundsOf(setting);
  return (
    <Paper component="section" aria-label={setting.key} withBorder p="md">
      <Group justify="space-between" align="start" wrap="nowrap" mb="xs">
        <Text size="sm">{setting.description}</Text>
        <SourceBadge setting={setting} />
      </Group>
      <Form setting={setting} onChangedChange={onChangedChange} />
      {!setting.secret && (
        <Text size="xs" c="dimmed" mt="xs">
          {bounds && `${bounds} · `}Default: {defaultOf(setting)}
        </Text>
      )}
    </Paper>
  );
}

function SourceBadge({ setting }: { setting: Setting }) {
  if (setting.locked) return <Badge color="gray">Locked</Badge>;
  if (setting.secret) return setting.isSet ? <Badge color="teal">Set</Badge> : <Badge color="orange">Not set</Badge>;
  return setting.source === 'stored' ? <Badge color="indigo">Changed</Badge> : <Badge color="gray">Default</Badge>;
}
