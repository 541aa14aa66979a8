import { api, useRead } from '../../api/client';

/** Returns the providers for logging in. */
export const useLoginChoices = () =>
  useRead(['login-choices'], () => api.GET('/admin/api/sso/providers'), { staleTime: Infinity });
