import { describeInBrowser } from './browser.js';
import { changedMeanwhile } from './pages/changed-meanwhile.js';

describeInBrowser('what two administrators change at once', changedMeanwhile);
