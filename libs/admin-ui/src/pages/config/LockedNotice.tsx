import { Text } from '@mantine/core';
import { LockIcon } from '@primer/octicons-react';
import type { Setting } from './use-settings';

export function LockedNotice({ setting }: { setting: Setting }) {
  return (
    <Text size="sm" mt="xs">
      <LockIcon size={14} aria-hidden /> Set by {setting.environmentVariable}. To change it here, remove that
      environment variable and restart the service.
    </Text>
  );
}
