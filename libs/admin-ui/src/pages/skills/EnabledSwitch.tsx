import { useMay } from '../../api/session';
import { Switch } from '@mantine/core';
import { showError } from '../../components/notices';
import { type Skill, useSetEnabled } from './use-skills';

/** Switch that decides whether clients see the skill and may call it. */
export function EnabledSwitch({ skill }: { skill: Skill }) {
  const may = useMay('admin');
  const { mutate, isPending, variables } = useSetEnabled(skill.name);
  return (
    <Switch
      aria-label={`Enabled: ${skill.name}`}
      checked={isPending ? variables : skill.enabled}
      disabled={isPending || !may}
      onChange={(event) => mutate(event.currentTarget.checked, { onError: showError })}
    />
  );
}
