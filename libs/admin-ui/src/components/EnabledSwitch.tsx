import { Switch } from '@mantine/core';
import { useMay } from '../api/session';
import { showError } from './notices';

interface EnabledSwitchProps {
  name: string;
  enabled: boolean;
  /** Who may change it. */
  role: Parameters<typeof useMay>[0];
  /** The change in progress, if any. */
  change: {
    mutate: (enabled: boolean, options: { onError: (error: unknown) => void }) => void;
    isPending: boolean;
    variables: boolean | undefined;
  };
}

/** Switch that enables and disables something; shows the chosen state while it is being saved. */
export function EnabledSwitch({ name, enabled, role, change: { mutate, isPending, variables } }: EnabledSwitchProps) {
  const may = useMay(role);
  return (
    <Switch
      aria-label={`Enabled: ${name}`}
      checked={isPending ? variables === true : enabled}
      disabled={isPending || !may}
      onChange={(event) => mutate(event.currentTarget.checked, { onError: showError })}
    />
  );
}
