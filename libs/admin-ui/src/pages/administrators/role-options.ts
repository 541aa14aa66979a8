import type { Role } from '../../api/session';

export const ROLE_OPTIONS: readonly { value: Role; label: string }[] = [
  { value: 'member', label: 'Member: only their own account' },
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'editor', label: 'Editor: content and workflows' },
  { value: 'admin', label: 'Admin: everything' },
];
