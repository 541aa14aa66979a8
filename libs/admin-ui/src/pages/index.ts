import { configPage } from './config';
import { connectPage } from './connect';
import { feedsPage } from './feeds';
import { knowledgePage } from './knowledge';
import { memoryPage } from './memory';
import { overviewPage } from './overview';
import type { PageDefinition } from './page-definition';
import { sessionsPage } from './sessions';
import { skillsPage } from './skills';

export const pages: readonly PageDefinition[] = [
  overviewPage,
  connectPage,
  skillsPage,
  knowledgePage,
  memoryPage,
  feedsPage,
  sessionsPage,
  configPage,
].toSorted((a, b) => a.order - b.order);
