import { describeInBrowser } from './browser.js';
import { connectPage, connectPageOnTheNetwork } from './pages/connect.js';
import { firstPage } from './pages/first-load.js';
import { overviewPage } from './pages/overview.js';
import { viewOfARun } from './pages/run-view.js';
import { runsPage } from './pages/runs.js';
import { skillsPage } from './pages/skills.js';
import { webhooksPage } from './pages/webhooks.js';
import { workflowsPage } from './pages/workflows.js';

describeInBrowser('the first page', firstPage);
describeInBrowser('the Connect page', connectPage);
describeInBrowser('the Connect page of a service on the network', connectPageOnTheNetwork);
describeInBrowser('the Webhooks page', webhooksPage);
describeInBrowser('the Runs page', runsPage);
describeInBrowser('the view of a run, in an assistant', viewOfARun);
describeInBrowser('the Workflows page', workflowsPage);
describeInBrowser('the Skills page', skillsPage);
describeInBrowser('the Overview page', overviewPage);
