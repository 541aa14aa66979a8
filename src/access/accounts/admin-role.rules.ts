import { ADMIN_ROLES, type AdminRole } from './administrator.js';

/** Returns the role that a route needs: the declared one, or else viewer for reading and admin for everything else. */
export const neededRole = (method: string, declared: AdminRole | undefined): AdminRole =>
  declared ?? (method === 'GET' || method === 'HEAD' ? 'viewer' : 'admin');

export const isEnough = (role: AdminRole, needed: AdminRole): boolean =>
  ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(needed);
