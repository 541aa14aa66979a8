import { isClone, launch } from './launch.js';

await launch('main.js');
if (isClone) (await import('./build/prepare-pages.js')).preparePages();
