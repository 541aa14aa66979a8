import { EnabledSwitch } from '../../components/EnabledSwitch';
import { useSetEnabled, type Workflow } from './use-workflows';

/** Switch that decides whether clients see the workflow as a tool, and whether its schedule starts it. */
export function WorkflowSwitch({ workflow: { name, enabled } }: { workflow: Pick<Workflow, 'name' | 'enabled'> }) {
  return <EnabledSwitch name={name} enabled={enabled} role="editor" change={useSetEnabled(name)} />;
}
