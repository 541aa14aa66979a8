// Writes the generated parts of the manual; with --check, only prints which are out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { clientsPage, signInPage } from './docs/client-snippets.js';
import { settingsPage } from './docs/settings-page.js';

const PAGES = { 'docs/connect.md': clientsPage, 'docs/sign-in.md': signInPage, 'docs/settings.md': settingsPage };

for (const [path, write] of Object.entries(PAGES)) {
  const file = new URL(`../${path}`, import.meta.url);
  const current = await format(write(), { ...(await resolveConfig(file)), parser: 'markdown' });
  if (!process.argv.includes('--check')) {
    writeFileSync(file, current);
  } else if (readFileSync(file, 'utf8') !== current) {
    console.error(`${path} is out of date: run npm run docs`);
    process.exitCode = 1;
  }
}
