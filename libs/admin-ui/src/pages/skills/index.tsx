import { ToolsIcon } from '@primer/octicons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const SkillsPage = lazy(() => import('./catalogue/SkillsPage'));
const SkillPage = lazy(() => import('./detail/SkillPage'));

export const skillsPage: PageDefinition = {
  path: 'skills',
  title: 'Skills',
  icon: ToolsIcon,
  element: <SkillsPage />,
  order: 30,
  details: [{ path: ':name', element: <SkillPage /> }],
};
