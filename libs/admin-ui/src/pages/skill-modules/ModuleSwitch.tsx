import { EnabledSwitch } from '../../components/EnabledSwitch';
import { type ModuleItem, useSetModuleEnabled } from './use-modules';

/** Switch that decides whether clients get the skills of the module. */
export function ModuleSwitch({ item: { name, enabled } }: { item: Pick<ModuleItem, 'name' | 'enabled'> }) {
  return <EnabledSwitch name={name} enabled={enabled} role="admin" change={useSetModuleEnabled(name)} />;
}
