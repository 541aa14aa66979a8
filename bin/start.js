import { isClone, launch } from './launch.js';

await launch('main.js');
if (isClone) (await import('./build/prepare-admin-ui.js')).prepareAdminUi();
