import type { Icon } from '@primer/octicons-react';
import type { ReactNode } from 'react';

/** A page that the navigation lists. */
export interface PageDefinition {
  /** Below /admin/, without slashes; '' is the start page. */
  path: string;
  title: string;
  icon: Icon;
  element: ReactNode;
  /** Position in the navigation; lower numbers come first. */
  order: number;
  /** Pages below it, such as ':name'. */
  details?: readonly { path: string; element: ReactNode }[];
}
