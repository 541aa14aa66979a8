import { isClone, launch, version } from './launch.js';
import { isRunInstead } from './own-node.js';

// Immediately, because the start may take a while. The service prints the rest.
if (!isRunInstead) console.log(`\nAgent Service ${version}`);
await launch('main.js');
if (isClone) (await import('./build/prepare-pages.js')).preparePages();
