import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

export type Secret = Schemas['WorkflowSecretView'];
export type SecretValue = NonNullable<SecretBody['value']>;

type SecretBody = Schemas['WorkflowSecretBody'];

const SECRETS_KEY = ['workflow-secrets'];

export function useSecrets() {
  return useQuery({
    queryKey: SECRETS_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/workflow-secrets'))).items,
  });
}

export function useSetSecret() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ name, ...body }: SecretBody & { name: string }) =>
      bodyOf(api.PUT('/admin/api/workflow-secrets/{name}', { params: { path: { name } }, body })),
    onSettled: refresh,
  });
}

export function useDeleteSecret(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/workflow-secrets/{name}', { params: { path: { name } } }),
    onSettled: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: SECRETS_KEY });
}
