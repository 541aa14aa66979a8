import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { DeviceDesktopIcon, MoonIcon, SunIcon } from '@primer/octicons-react';

const SCHEMES = {
  auto: { icon: DeviceDesktopIcon, next: 'light', label: 'System colors' },
  light: { icon: SunIcon, next: 'dark', label: 'Light colors' },
  dark: { icon: MoonIcon, next: 'auto', label: 'Dark colors' },
} as const;

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { icon: Icon, next, label } = SCHEMES[colorScheme];
  const says = `${label}. Switch to: ${SCHEMES[next].label.toLowerCase()}`;
  return (
    <ActionIcon variant="default" size="lg" title={says} aria-label={says} onClick={() => setColorScheme(next)}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
