import { Switch } from '@mantine/core';
import { useMay } from '../../api/session';
import { showError } from '../../components/notices';
import { type PackageItem, useSetPackageEnabled } from './use-packages';

/** Switch that decides whether clients get the package. */
export function PackageSwitch({ item: { name, enabled } }: { item: Pick<PackageItem, 'name' | 'enabled'> }) {
  const may = useMay('editor');
  const { mutate, isPending, variables } = useSetPackageEnabled(name);
  return (
    <Switch
      aria-label={`Enabled: ${name}`}
      checked={isPending ? variables : enabled}
      disabled={isPending || !may}
      onChange={(event) => mutate(event.currentTarget.checked, { onError: showError })}
    />
  );
}
