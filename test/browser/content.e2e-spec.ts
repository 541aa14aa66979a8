import { describeInBrowser } from './browser.js';
import { feedsPage } from './pages/feeds.js';
import { knowledgePage } from './pages/knowledge.js';
import { memoryPage } from './pages/memory.js';
import { skillModulesPage } from './pages/skill-modules.js';
import { skillPackagesPage } from './pages/skill-packages.js';

describeInBrowser('the Knowledge page', knowledgePage);
describeInBrowser('the Memory page', memoryPage);
describeInBrowser('the Feeds page', feedsPage);
describeInBrowser('the Skill packages page', skillPackagesPage);
describeInBrowser('the Skill modules page', skillModulesPage);
