import { api } from '../../api/client';
import { useRead } from '../../api/queries';

/** Returns the providers for logging in. */
export const useLoginChoices = () =>
  useRead(['login-choices'], () => api.GET('/admin/api/sso/providers'), { staleTime: Infinity });
