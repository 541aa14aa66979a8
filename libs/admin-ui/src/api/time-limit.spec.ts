import { hasTimeLimit } from './time-limit';

const hasLimit = (method: string, path: string) =>
  hasTimeLimit({ method, url: `https://agents.example.com/admin/api/${path}` });

it.each([
  ['POST', 'knowledge/import'],
  ['POST', 'knowledge/import/preview'],
  ['POST', 'feeds/opml'],
  ['POST', 'runs/repeat'],
  ['POST', 'skill-packages'],
  ['PUT', 'skill-packages/release-notes'],
  ['POST', 'skill-modules'],
  ['POST', 'skill-module-samples/sql'],
])('%s %s may take as long as it needs', (method, path) => expect(hasLimit(method, path)).toBe(false));

it.each([
  ['GET', 'skill-packages'],
  ['POST', 'skill-packages/check'],
  ['PUT', 'skill-packages/release-notes/enabled'],
  ['POST', 'runs/0f1e/repeat'],
  ['PUT', 'clients/ci?x=runs/repeat'],
])('%s %s has a time limit', (method, path) => expect(hasLimit(method, path)).toBe(true));
