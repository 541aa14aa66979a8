import { Flex, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows a control with its buttons next to it, or below it on a phone. */
export function SettingRow({ control, buttons }: { control: ReactNode; buttons: ReactNode }) {
  return (
    <Flex direction={{ base: 'column', sm: 'row' }} align={{ base: 'stretch', sm: 'end' }} gap="sm">
      <div style={{ flex: '1 1 auto', maxWidth: 560 }}>{control}</div>
      {buttons && <Group gap="xs">{buttons}</Group>}
    </Flex>
  );
}
