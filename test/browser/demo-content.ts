import type { PublishedItem } from '../feeds/feed-server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const DOCUMENTS = [
  {
    title: 'Deploying to production',
    tags: ['how-to', 'ops'],
    ageMs: 2 * HOUR_MS,
    content: `# Deploying to production

## Days

We deploy on Tuesdays and Thursdays, before noon. Who is on call that week may stop a deploy at any time.

## Steps

1. Merge the release branch, and wait for the pipeline.
2. Run \`make deploy ENV=production\` from a clean checkout.
3. Watch the error rate for 30 minutes: the dashboard is linked in the channel.

## Rollback

\`make rollback\` brings the version before back within two minutes. Tell the channel why.
`,
  },
  {
    title: 'On call: what to do when an alarm goes off',
    tags: ['on-call', 'ops'],
    ageMs: DAY_MS,
    content: `# Alarms

Acknowledge within five minutes. If a deploy happened in the last hour, roll it back first and ask later.

# Escalation

After 30 minutes without progress, call the second line.
`,
  },
  {
    title: 'How we review code',
    tags: ['how-to', 'team'],
    ageMs: 6 * DAY_MS,
    content: `# Reviews

Small changes, answered within a day. Whoever reviews runs the change; who deploys it, merges it.
`,
  },
  {
    title:
      'Postmortem of 12 October: orders were charged twice after the payment provider timed out and our retries were not idempotent',
    tags: ['postmortem', 'payments', 'ops'],
    ageMs: 40 * DAY_MS,
    content: `# What happened

From 14:02 to 14:31, 318 orders were charged twice. A deploy at 13:55 had changed the timeout of the payment client.

# What we changed

Every charge carries a key, so that a second try is recognised.
`,
  },
  {
    title: 'Welcome to the team',
    tags: ['team'],
    ageMs: 90 * DAY_MS,
    content: `# Your first week

Get your laptop, read about deploys and reviews, and fix something small.
`,
  },
];

/** Memories that assistants saved for the sample team; a later entry supersedes an earlier one with the same key. */
export const MEMORIES = [
  {
    ageMs: 30 * DAY_MS,
    client: 'claude',
    namespace: 'team',
    key: 'deploy-day',
    tags: ['ops'],
    importance: 4,
    content: 'Deploys happen on Mondays.',
  },
  {
    ageMs: 3 * HOUR_MS,
    client: 'cursor',
    namespace: 'team',
    key: 'deploy-day',
    tags: ['ops'],
    importance: 4,
    content: 'Deploys happen on Tuesdays and Thursdays, before noon.',
  },
  {
    ageMs: DAY_MS,
    client: 'claude',
    key: 'freeze',
    content: 'No deploys from 18 December to 2 January.',
    expiresInDays: 40,
    importance: 5,
    tags: ['ops'],
  },
  {
    ageMs: 2 * DAY_MS,
    client: 'admin',
    key: 'language',
    content: 'Write to customers in English; in the channel, German is fine.',
    tags: ['style'],
  },
  {
    ageMs: 5 * DAY_MS,
    client: 'cursor',
    namespace: 'payments',
    key: 'retry-rule',
    content: 'Charges carry an idempotency key: retry them at will, but never without it.',
    importance: 5,
    tags: ['payments'],
  },
  {
    ageMs: 9 * DAY_MS,
    client: 'claude',
    namespace: 'web',
    key: 'flaky-checkout-test-on-the-nightly-build-of-the-old-branch',
    content:
      'checkout.spec fails about once a week because the test card service is slow at night. It is not our code: run it ' +
      'again. Anna has asked the provider for a faster sandbox; ask her before you change the test or raise its time limit.',
    importance: 2,
    tags: ['tests', 'known-issue', 'checkout'],
  },
];

interface DemoFeed {
  path: string;
  /** The URL that the feed would have on the web. */
  url: string;
  title: string;
  items: PublishedItem[];
}

/** Feeds of the sample team; the last one does not respond. */
export const FEEDS: readonly DemoFeed[] = [
  {
    path: '/node.xml',
    url: 'https://runtime.example/blog/feed.xml',
    title: 'Runtime releases',
    items: [
      {
        id: '26.10',
        at: 'Fri, 20 Nov 2026 10:00:00 GMT',
        title: 'Version 26.10 is out',
        text: 'Faster start, a newer SQLite, and fixes of three memory leaks.',
      },
      {
        id: '26.9.1',
        at: 'Tue, 17 Nov 2026 15:30:00 GMT',
        title: 'Security release 26.9.1',
        text: 'Fixes two vulnerabilities of medium severity in HTTP/2. Update soon.',
      },
      {
        id: '26.9',
        at: 'Thu, 5 Nov 2026 09:00:00 GMT',
        title: 'Version 26.9 is out',
        text: 'The test runner reports coverage by line, and streams close as they should.',
      },
    ],
  },
  {
    path: '/postgres.xml',
    url: 'https://database.example/news/all.rss',
    title: 'Database news',
    items: [
      {
        id: 'p1',
        title: 'Minor releases of all supported versions',
        text: 'They fix more than 50 bugs that were reported over the last months.',
      },
    ],
  },
  {
    path: '/advisories.xml',
    url: 'https://registry.example/advisories/ecosystem/npm/severity/high/feed.atom',
    title: 'Security advisories',
    items: [
      { id: '7', title: 'Prototype pollution in a parser of query strings', text: 'Update to the patched version.' },
    ],
  },
];
