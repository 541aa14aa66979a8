import type { Icon } from '@primer/octicons-react';
import type { ReactNode } from 'react';

/** A page of the navigation. */
export interface PageDefinition {
  /** Below /admin/, without slashes; '' is the start page. */
  path: string;
  title: string;
  icon: Icon;
  element: ReactNode;
  /** Its place in the navigation: lower comes first. */
  order: number;
  /** Pages below it, such as ':name'. */
  details?: readonly { path: string; element: ReactNode }[];
}
