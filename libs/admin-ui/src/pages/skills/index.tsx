import { IconTools } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageDefinition } from '../page-definition';

const SkillsPage = lazy(() => import('./SkillsPage'));

export const skillsPage: PageDefinition = {
  path: 'skills',
  title: 'Skills',
  icon: IconTools,
  element: <SkillsPage />,
  order: 30,
};
