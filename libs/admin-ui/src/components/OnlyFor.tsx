import type { ReactNode } from 'react';
import { type Role, useMay } from '../api/session';
import classes from './EditableFor.module.css';

/** Shows its children only to administrators with a role, or one above it. */
export function OnlyFor({ role, children }: { role: Role; children: ReactNode }) {
  return useMay(role) ? children : null;
}

/** Shows the fields of a form to everybody; only administrators with a role, or one above it, can change them. */
export function EditableFor({ role, children }: { role: Role; children: ReactNode }) {
  return (
    <fieldset className={classes.fields} disabled={!useMay(role)}>
      {children}
    </fieldset>
  );
}
