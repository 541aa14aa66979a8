import { api, type Schemas, useChange, useList } from '../../api/client';

export type Secret = Schemas['WorkflowSecretView'];
export type SecretValue = NonNullable<SecretBody['value']>;

type SecretBody = Schemas['WorkflowSecretBody'];

const SECRETS_KEY = ['workflow-secrets'];

export const useSecrets = () => useList(SECRETS_KEY, () => api.GET('/admin/api/workflow-secrets'));

export const useSetSecret = () =>
  useChange([SECRETS_KEY], ({ name, ...body }: SecretBody & { name: string }) =>
    api.PUT('/admin/api/workflow-secrets/{name}', { params: { path: { name } }, body }),
  );

export const useDeleteSecret = (name: string) =>
  useChange([SECRETS_KEY], () => api.DELETE('/admin/api/workflow-secrets/{name}', { params: { path: { name } } }));
