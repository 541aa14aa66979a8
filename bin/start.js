import { launch } from './launch.js';

await launch('main.js');
