/** Returns the JSON Pointer of a member. */
export const pointerTo = (parent: string, member: string | number): string =>
  `${parent}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
