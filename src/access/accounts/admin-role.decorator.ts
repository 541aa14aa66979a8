import { SetMetadata } from '@nestjs/common';
import type { AdminRole } from './administrator.js';

export const NEEDED_ROLE = Symbol('NEEDED_ROLE');

/**
 * Declares which role a route, or each route of a controller, needs. Without it, reading needs viewer and everything else
 * needs admin.
 */
export const NeedsRole = (role: AdminRole) => SetMetadata(NEEDED_ROLE, role);
