import { ADMIN_ROLES } from './administrator.js';
import { isEnough, neededRole } from './admin-role.rules.js';

describe('roles', () => {
  it.each([
    ['GET', undefined, 'viewer'],
    ['HEAD', undefined, 'viewer'],
    ['POST', undefined, 'admin'],
    ['PUT', undefined, 'admin'],
    ['PATCH', undefined, 'admin'],
    ['DELETE', undefined, 'admin'],
    ['get', undefined, 'admin'],
    ['PROPFIND', undefined, 'admin'],
    ['POST', 'editor', 'editor'],
    ['GET', 'admin', 'admin'],
  ] as const)('%s of a route that declares %s needs %s', (method, declared, needed) => {
    expect(neededRole(method, declared)).toBe(needed);
  });

  it('include the ones before', () => {
    const allowed = ADMIN_ROLES.map((role) => ADMIN_ROLES.filter((needed) => isEnough(role, needed)));
    expect(allowed).toEqual([
      ['member'],
      ['member', 'viewer'],
      ['member', 'viewer', 'editor'],
      ['member', 'viewer', 'editor', 'admin'],
    ]);
  });
});
