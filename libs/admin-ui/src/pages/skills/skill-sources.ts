import type { Skill } from './use-skills';

export const SOURCES: Record<Skill['source'], string> = {
  'built-in': 'Built in',
  module: 'Module',
  package: 'Package',
  workflow: 'Workflow',
};

export const STATES: Record<Skill['state'], { text: string; color: string }> = {
  on: { text: 'On', color: 'teal' },
  off: { text: 'Off', color: 'gray' },
  waiting: { text: 'Waits for approval', color: 'orange' },
  broken: { text: 'Broken', color: 'red' },
};

const PAGES = { module: '/skill-modules', package: '/skill-packages', workflow: '/workflows' };

/** Returns the page of a skill's owner, such as its module; null for a built-in skill. */
export function ownerPage({ source, owner }: Pick<Skill, 'source' | 'owner'>): string | null {
  if (source === 'built-in') return null;
  return owner === null ? PAGES[source] : `${PAGES[source]}/${encodeURIComponent(owner)}`;
}

/** Returns the page of a skill: a tool has its own page. */
export const skillPage = (skill: Skill): string =>
  skill.inputSchema === null ? (ownerPage(skill) ?? '/skills') : `/skills/${skill.name}`;
