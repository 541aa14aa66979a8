import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { ADMIN_ROLES, type AdminRole, BUILT_IN } from '../../../access/accounts/administrator.js';
import { OneOf, Text, Time } from '../api/fields.decorators.js';

export class LogInBody {
  @Text({ max: 40, optional: true, default: BUILT_IN, says: 'The name of the account.' }) user: string = BUILT_IN;
  @Text({ max: 1024 }) password!: string;
}

export class AdminIdentityView implements AdminIdentity {
  @Text({ example: BUILT_IN, says: 'The name of the account.' }) user!: string;
  @OneOf(ADMIN_ROLES, { enumName: 'AdminRole' }) role!: AdminRole;
  @OneOf(['basic', 'session']) method!: 'basic' | 'session';

  @Time({ nullable: true, says: 'When the browser session ends if it is not used; null with HTTP Basic.' })
  expiresAt!: Date | null;
}
