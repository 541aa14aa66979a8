import type { ReactNode } from 'react';
import { type Role, useMay } from '../api/session';

/** Shows its children only to administrators with a role, or one above it. */
export function OnlyFor({ role, children }: { role: Role; children: ReactNode }) {
  return useMay(role) ? children : null;
}
