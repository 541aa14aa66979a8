// Runs after `nest build`: records that dist is up to date, so that `npm start` does not transpile it again.
import { noteAsBuilt } from './transpile.js';

noteAsBuilt('src', 'libs');
