import { EnabledSwitch } from '../../components/EnabledSwitch';
import { type Skill, useSetSkillEnabled } from './use-skills';

/** Switch that decides whether clients see the skill and may call it. */
export function SkillSwitch({ skill: { name, enabled } }: { skill: Pick<Skill, 'name' | 'enabled'> }) {
  return <EnabledSwitch name={name} enabled={enabled} role="admin" change={useSetSkillEnabled(name)} />;
}
