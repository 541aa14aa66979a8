import { launch } from './launch.js';

// node bin/command.js <migrate|export|import|knowledge-import|audit-verify> [arguments]
const [, , name] = process.argv;
await launch(`entrypoints/commands/${name}.js`);
