import type { Client } from '#skill-kit';

/** A client as far as it says whose something is. */
export type Owner = Pick<Client, 'name' | 'owner'>;

/** Returns under what things of a client are kept, so that the next client of this name does not get them. */
export const ownerOf = ({ name, owner = name }: Owner): string => owner;

/** Returns the owner that a client or a person is which was made at a time. No name has a space. */
export const ownerSince = (name: string, madeAt: Date): string => `${name} ${madeAt.getTime()}`;

/** Returns the name that an owner has, or had. */
export const nameOfOwner = (owner: string): string => owner.split(' ', 1)[0] ?? owner;
