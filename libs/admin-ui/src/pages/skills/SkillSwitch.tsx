import { useMay } from '../../api/session';
import { Switch } from '@mantine/core';
import { showError } from '../../components/notices';
import { type Skill, useUpdateSkill } from './use-skills';

/** Switch that decides whether clients see the skill and may call it. */
export function SkillSwitch({ skill }: { skill: Skill }) {
  const may = useMay('admin');
  const { mutate, isPending, variables } = useUpdateSkill(skill.name);
  return (
    <Switch
      aria-label={`Enabled: ${skill.name}`}
      checked={isPending ? variables.enabled : skill.enabled}
      disabled={isPending || !may}
      onChange={(event) => mutate({ enabled: event.currentTarget.checked }, { onError: showError })}
    />
  );
}
