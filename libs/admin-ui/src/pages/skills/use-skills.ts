import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

export type Skill = Schemas['SkillView'];
export type SkillLimitsBody = Pick<Skill, 'timeoutMs' | 'maxResultBytes'>;

const SKILLS_KEY = 'skills';
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
  return useInfiniteQuery({
    queryKey: [SKILLS_KEY, 'list', filter],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(api.GET('/admin/api/skills', { params: { query: { ...wanted, limit: PAGE_SIZE, cursor } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // Keeps the previous results while typing.
    placeholderData: keepPreviousData,
  });
}

export function useSkill(name: string) {
  return useQuery({
    queryKey: [SKILLS_KEY, 'one', name],
    queryFn: () =>
      bodyOf(api.GET('/admin/api/skills/{name}', { params: { path: { name }, query: { period: 'month' } } })),
  });
}

/** Changes the settings of a skill; omitted members stay unchanged. */
export function useUpdateSkill(name: string) {
  const refresh = useRefreshSkills();
  return useMutation({
    mutationFn: (body: Schemas['SkillBody']) =>
      bodyOf(api.PUT('/admin/api/skills/{name}', { params: { path: { name } }, body })),
    onSettled: refresh,
  });
}

export function useRefreshSkills() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [SKILLS_KEY] });
}
