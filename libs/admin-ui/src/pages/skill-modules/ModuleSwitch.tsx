import { Switch } from '@mantine/core';
import { useMay } from '../../api/session';
import { showError } from '../../components/notices';
import { type ModuleItem, useSetModuleEnabled } from './use-modules';

/** Switch that decides whether clients get the skills of the module. */
export function ModuleSwitch({ item: { name, enabled } }: { item: Pick<ModuleItem, 'name' | 'enabled'> }) {
  const may = useMay('admin');
  const { mutate, isPending, variables } = useSetModuleEnabled(name);
  return (
    <Switch
      aria-label={`Enabled: ${name}`}
      checked={isPending ? variables : enabled}
      disabled={isPending || !may}
      onChange={(event) => mutate(event.currentTarget.checked, { onError: showError })}
    />
  );
}
