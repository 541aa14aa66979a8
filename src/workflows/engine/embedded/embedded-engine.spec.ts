import { describeEachDatabase } from '../../../database/testing.js';
import { testEngine } from '../contract/testing.js';
import { engineOn } from './testing.js';

describeEachDatabase('the embedded engine', (open) => testEngine(open, engineOn));
