// After `nest build`, which made dist of the sources: `npm start` need not make it again.
import { noteAsBuilt } from './transpile.js';

noteAsBuilt('src', 'libs');
