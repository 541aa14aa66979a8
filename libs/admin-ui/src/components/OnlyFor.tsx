import type { ReactNode } from 'react';
import { type Role, useMay } from '../api/session';

/** Shows what only administrators with a role, or one above it, may do. */
export function OnlyFor({ role, children }: { role: Role; children: ReactNode }) {
  return useMay(role) ? children : null;
}
