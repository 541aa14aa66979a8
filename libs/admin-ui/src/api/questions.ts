import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from './client';
import { useMay } from './session';

const KEY = ['questions'];
const REFRESH_MS = 5_000;

/** What runs ask people, the oldest question first; nothing for those who may not read it. */
export function useQuestions() {
  return useQuery({
    queryKey: KEY,
    queryFn: () => bodyOf(api.GET('/admin/api/runs/questions')),
    refetchInterval: REFRESH_MS,
    enabled: useMay('viewer'),
  });
}

/** Answers a question of a run. */
export function useAnswer(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['AnswerBody']) =>
      api.POST('/admin/api/runs/{id}/answers', { params: { path: { id } }, body }),
    onSettled: () => Promise.all([KEY, ['runs']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
