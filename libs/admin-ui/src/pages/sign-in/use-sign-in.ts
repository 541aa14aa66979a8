import { useMutation, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

export type SignIn = Schemas['SignInView'];

export function useSignIn(id: string) {
  return useQuery({
    queryKey: ['sign-in', id],
    queryFn: () => bodyOf(api.GET('/admin/api/sign-ins/{id}', { params: { path: { id } } })),
    retry: false,
  });
}

export function useDecide(id: string) {
  return useMutation({
    mutationFn: (decision: 'allow' | 'deny') => {
      const params = { path: { id } };
      return decision === 'allow'
        ? bodyOf(api.POST('/admin/api/sign-ins/{id}/allow', { params }))
        : bodyOf(api.POST('/admin/api/sign-ins/{id}/deny', { params }));
    },
  });
}
