import { describeEveryPage } from './every-page.js';

describeEveryPage('light');
