import { useMay } from '../../api/session';
import { Switch } from '@mantine/core';
import { showError } from '../../components/notices';
import { useSetEnabled, type Workflow } from './use-workflows';

/** Switch that decides whether clients see the workflow as a tool, and whether its schedule starts it. */
export function WorkflowSwitch({ workflow }: { workflow: Pick<Workflow, 'name' | 'enabled'> }) {
  const may = useMay('editor');
  const { mutate, isPending, variables } = useSetEnabled(workflow.name);
  return (
    <Switch
      aria-label={`Enabled: ${workflow.name}`}
      checked={isPending ? variables : workflow.enabled}
      disabled={isPending || !may}
      onChange={(event) => mutate(event.currentTarget.checked, { onError: showError })}
    />
  );
}
