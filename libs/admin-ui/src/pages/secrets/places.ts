import type { Secret } from './use-secrets';

/** The allowed destinations of a secret. null = anywhere. */
export type Limits = Pick<Secret, 'hosts' | 'skills'>;

/** Describes the allowed destinations of a secret, one per line. */
export function placesOf({ hosts, skills }: Limits): string[] {
  if (hosts === null && skills === null) return ['Anywhere'];
  return [`Hosts: ${inWords(hosts)}`, `Skills: ${inWords(skills)}`];
}

/** Returns the problem of a list. */
export const problemOf = (list: keyof Limits, errors: ReadonlyMap<string, string>): string | undefined =>
  [...errors].find(([path]) => path === list || path.startsWith(`${list}.`))?.[1];

function inWords(places: readonly string[] | null): string {
  if (places === null) return 'any';
  return places.length === 0 ? 'none' : places.join(', ');
}
