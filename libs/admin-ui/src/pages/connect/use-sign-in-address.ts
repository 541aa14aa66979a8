import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

type Address = Schemas['SignInAddressView'];
/** The reasons why nobody can sign in. */
export type SignInLack = NonNullable<Address['lack']>;

/** Loads the address at which people sign in with their programs. */
export function useSignInAddress() {
  return useQuery({
    queryKey: ['sign-in-address'],
    queryFn: () => bodyOf(api.GET('/admin/api/overview/sign-in')),
  });
}
