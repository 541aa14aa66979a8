import { api, type Schemas, useRead } from '../../api/client';

type Address = Schemas['SignInAddressView'];
/** The reasons why nobody can sign in. */
export type SignInLack = NonNullable<Address['lack']>;

/** Loads the address at which people sign in with their programs. */
export const useSignInAddress = () => useRead(['sign-in-address'], () => api.GET('/admin/api/overview/sign-in'));
