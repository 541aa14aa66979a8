import { api, useRead } from '../../api/client';

export const LOGIN_CHOICES_KEY = ['login-choices'];

/** Returns the providers for logging in. */
export const useLoginChoices = () => useRead(LOGIN_CHOICES_KEY, () => api.GET('/admin/api/sso/providers'));
