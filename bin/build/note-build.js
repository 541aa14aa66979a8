// Runs after `nest build`, and notes that dist is up to date, so that `npm start` does not transpile again.
import { noteAsBuilt } from './transpile.js';

noteAsBuilt('src', 'libs');
