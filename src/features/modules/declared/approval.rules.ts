import type { ApprovalRule, DeclaredSkill, DeclaredUses, ModuleVersion, SkillModule } from './module.js';

/** Returns the uses of all skills of a module together, in a fixed order. */
export function usesOf(skills: readonly DeclaredSkill[]): DeclaredUses {
  const all = (list: 'hosts' | 'skills' | 'secrets' | 'databases') =>
    [...new Set(skills.flatMap(({ uses }) => uses[list]))].sort();
  return {
    hosts: all('hosts'),
    skills: all('skills'),
    secrets: all('secrets'),
    databases: all('databases'),
    state: skills.some(({ uses }) => uses.state),
  };
}

/** Returns the version that clients get: the newest or, while that waits for approval, the approved one; null = none. */
export function offeredVersion({ newest, approved, enabled }: SkillModule, rule: ApprovalRule): ModuleVersion | null {
  if (!enabled) return null;
  return mayOffer(newest, approved, rule) ? newest : approved;
}

/** Returns whether an administrator has to approve the newest version before clients get it. */
export const isWaiting = ({ newest, approved }: SkillModule, rule: ApprovalRule): boolean =>
  !mayOffer(newest, approved, rule);

function mayOffer(newest: ModuleVersion, approved: ModuleVersion | null, rule: ApprovalRule): boolean {
  if (rule === 'none' || newest.version === approved?.version) return true;
  if (rule === 'always') return false;
  const { hosts, skills, secrets, databases, state } = usesOf(newest.skills);
  const known = usesOf(approved?.skills ?? []);
  const isSubset = (some: readonly string[], of: readonly string[]) => some.every((one) => of.includes(one));
  return (
    isSubset(hosts, known.hosts) &&
    isSubset(skills, known.skills) &&
    isSubset(secrets, known.secrets) &&
    isSubset(databases, known.databases) &&
    (!state || known.state)
  );
}
