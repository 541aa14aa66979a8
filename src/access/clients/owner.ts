import type { Client } from '#skill-kit';

export type Owner = Pick<Client, 'name' | 'owner'>;

/** Returns the owner under which the data of a client is stored, so that a later client of the same name does not get it. */
export const ownerOf = ({ name, owner = name }: Owner): string => owner;

/** Returns the owner of a client or person that was created at this time. Names have no spaces. */
export const ownerSince = (name: string, madeAt: Date): string => `${name} ${madeAt.getTime()}`;

/** Returns the name of an owner, who may no longer exist. */
export const nameOfOwner = (owner: string): string => owner.split(' ', 1)[0] ?? owner;
