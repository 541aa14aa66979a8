import { useMutation } from '@tanstack/react-query';
import { api, bodyOf, type Schemas, useRead } from '../../api/client';

export type SignIn = Schemas['SignInView'];

export const useSignIn = (id: string) =>
  useRead(['sign-in', id], () => api.GET('/admin/api/sign-ins/{id}', { params: { path: { id } } }), { retry: false });

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
