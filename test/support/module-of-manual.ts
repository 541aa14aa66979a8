import { readFileSync } from 'node:fs';

/** The skill module in the manual, and its test. */
export function moduleOfManual(): { module: string; test: string } {
  const manual = readFileSync('docs/skill-modules.md', 'utf8');
  const [, module = ''] = /^```ts\n(import \{ skill \}.*?)^```$/ms.exec(manual) ?? [];
  const [, test = ''] = /^```ts\n(\/\/ skills\/github_issues\.test\.ts.*?)^```$/ms.exec(manual) ?? [];
  return { module, test };
}
