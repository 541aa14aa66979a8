import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, useChange, usePages, useRead } from '../../api/client';

export type Skill = Schemas['SkillView'];
export type SkillLimitsBody = Pick<Skill, 'timeoutMs' | 'maxResultBytes'>;

export const SKILLS_KEY = ['skills'];
const PAGE_SIZE = 20;

export interface SkillFilter {
  q: string;
  /** '' = any. */
  source?: string;
  state?: string;
}

/** Lists the skills of all sources, with their calls in the last 30 days. */
export function useSkills(filter: SkillFilter) {
  const { q, source = '', state = '' } = filter;
  const wanted = {
    q: q || undefined,
    source: (source || undefined) as Skill['source'] | undefined,
    state: (state || undefined) as Skill['state'] | undefined,
    period: 'month' as const,
  };
  return usePages(
    [...SKILLS_KEY, 'list', filter],
    (cursor) => api.GET('/admin/api/skills', { params: { query: { ...wanted, limit: PAGE_SIZE, cursor } } }),
    { keepsPrevious: true },
  );
}

export const useSkill = (name: string) =>
  useRead([...SKILLS_KEY, 'one', name], () =>
    api.GET('/admin/api/skills/{name}', { params: { path: { name }, query: { period: 'month' } } }),
  );

/** Changes the limits of a skill; omitted ones stay unchanged. */
export const useLimitSkill = (name: string) =>
  useChange([SKILLS_KEY], (body: Partial<SkillLimitsBody>) =>
    api.PUT('/admin/api/skills/{name}', { params: { path: { name } }, body }),
  );

export const useSetSkillEnabled = (name: string) =>
  useChange([SKILLS_KEY], (enabled: boolean) =>
    api.PUT('/admin/api/skills/{name}', { params: { path: { name } }, body: { enabled } }),
  );

export function useRefreshSkills() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: SKILLS_KEY });
}
