import type { Secret } from './use-secrets';

/** Where a secret may go. Null = anywhere. */
export type Limits = Pick<Secret, 'hosts' | 'skills'>;

/** Returns where a secret may go, in words, a line each. */
export function placesOf({ hosts, skills }: Limits): string[] {
  if (hosts === null && skills === null) return ['Anywhere'];
  return [`Hosts: ${inWords(hosts)}`, `Skills: ${inWords(skills)}`];
}

/** Returns what is wrong with a list. */
export const problemOf = (list: keyof Limits, errors: ReadonlyMap<string, string>): string | undefined =>
  [...errors].find(([path]) => path === list || path.startsWith(`${list}.`))?.[1];

function inWords(places: readonly string[] | null): string {
  if (places === null) return 'any';
  return places.length === 0 ? 'none' : places.join(', ');
}
