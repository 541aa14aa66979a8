import { EnabledSwitch } from '../../components/EnabledSwitch';
import { type PackageItem, useSetPackageEnabled } from './use-packages';

/** Switch that decides whether clients get the package. */
export function PackageSwitch({ item: { name, enabled } }: { item: Pick<PackageItem, 'name' | 'enabled'> }) {
  return <EnabledSwitch name={name} enabled={enabled} role="editor" change={useSetPackageEnabled(name)} />;
}
