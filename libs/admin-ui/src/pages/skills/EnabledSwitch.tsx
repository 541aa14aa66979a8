import { Switch } from '@mantine/core';
import { showError } from '../../components/notices';
import { type Skill, useSetEnabled } from './use-skills';

/** Switch that decides whether clients see the skill and may call it. */
export function EnabledSwitch({ skill }: { skill: Skill }) {
  const { mutate, isPending, variables } = useSetEnabled(skill.name);
  return (
    <Switch
      aria-label={`Enabled: ${skill.name}`}
      checked={isPending ? variables : skill.enabled}
      disabled={isPending}
      onChange={(event) => mutate(event.currentTarget.checked, { onError: showError })}
    />
  );
}
