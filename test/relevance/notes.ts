export interface Note {
  key: string;
  content: string;
}

/** Notes that a team asks its assistants to remember, and how somebody asks for them weeks later, in other words. */
export const NOTES: readonly (Note & { asked: string })[] = [
  ['deploy-day', 'We release on Tuesdays before noon.', 'when do we ship to production'],
  ['freeze', 'No changes between 20 December and 6 January.', 'may I merge something at Christmas'],
  ['oncall-swap', 'To trade a pager shift, ask Mira.', 'who can take over my on-call duty'],
  ['staging-db', 'The test database is wiped every Sunday night.', 'why did my data on staging disappear'],
  ['indent', 'Ana wants two spaces, never tabs.', 'how should I format code for Ana'],
  ['invoice-address', 'Bills go to accounting@ with the cost centre in the subject.', 'where do I send an invoice'],
  ['retro-room', 'The retrospective is in the small room on the third floor.', 'location of the sprint review meeting'],
  ['api-timeouts', 'The partner gateway hangs up after 55 seconds.', 'why do long requests to the partner fail'],
  ['logo', 'The blue logo is outdated, use the green one.', 'which brand image should be on the slides'],
  ['pnpm', 'This repository is installed with pnpm.', 'which package manager do we use here'],
  ['timezone', 'Schedules are written in UTC.', 'what clock do cron jobs follow'],
  ['luca-language', 'Luca prefers to be answered in Italian.', 'what language should I write to Luca in'],
  ['backups', 'Snapshots are kept for 35 days in another region.', 'how far back can we restore'],
  ['feature-flags', 'New switches start turned off for everyone.', 'default state of a feature toggle'],
  ['parking', 'Guests leave their car behind the bakery.', 'where can a visitor park'],
  ['printer', 'The printer on floor two needs the code 4711.', 'how do I print something upstairs'],
  ['payments-owner', 'Questions about money transfers go to team Falcon.', 'who is responsible for payouts'],
  [
    'memory-leak',
    'The worker grew until it was killed because of the image cache.',
    'reason for the out-of-memory crashes',
  ],
  ['docs-tone', 'Write short sentences and avoid jargon in the handbook.', 'style guide for documentation'],
  ['vacation', 'Time off longer than two weeks needs a sign-off by Jonas.', 'who approves a long holiday'],
  ['laptop', 'Broken hardware is exchanged at the desk near the stairs.', 'my notebook does not start any more'],
  ['review-rule', 'Two people look at each pull request that touches billing.', 'how many approvals for payment code'],
  ['search-engine', 'We moved from Elasticsearch to Postgres full text.', 'what powers our search now'],
  ['gluten', 'Priya cannot eat wheat.', 'dietary restrictions for the team dinner'],
  ['customer-acme', 'Acme pays quarterly and wants a call before each renewal.', 'how does Acme want to be billed'],
  ['wifi', 'The wireless password for visitors changes each Monday.', 'how does a guest get on the internet'],
  ['tests-slow', 'The suite got slow because of the PDF fixtures.', 'why does CI take so long'],
  ['naming', 'Services are named after rivers.', 'what should I call the new microservice'],
  ['secrets', 'Credentials belong in the vault, never in the repository.', 'where to keep an API token'],
  ['mood', 'Sam would rather get bad news early and by phone.', 'how should I tell Sam about the delay'],
].map(([key = '', content = '', asked = '']) => ({ key, content, asked }));

const WHO = [
  'Team Heron',
  'Group Delta',
  'Olga',
  'Kenji',
  'The night crew',
  'Marketing',
  'Team Lynx',
  'Facility',
  'Support',
  'Ravi',
];
const DID = [
  'agreed to move',
  'finished',
  'asked about',
  'postponed',
  'documented',
  'cancelled',
  'tested',
  'repaired',
  'ordered',
  'renamed',
];
const WHAT = [
  'the quarterly report',
  'the login page',
  'the coffee machine',
  'the export job',
  'the mobile release',
  'the customer survey',
  'the build server',
  'the price list',
  'the welcome mail',
  'the data warehouse',
];
const WHEN = [
  'in spring',
  'after the audit',
  'last Friday',
  'before the fair',
  'until further notice',
  'for the pilot',
];

/** Other notes, all different, as distractors. */
export const otherNotes = (count: number): Note[] =>
  Array.from({ length: count }, (_, number) => {
    const pick = (list: readonly string[], step: number) => list[Math.floor(number / step) % list.length] ?? '';
    const [who, did, what, when] = [pick(WHO, 1), pick(DID, 10), pick(WHAT, 100), pick(WHEN, 1_000)];
    return { key: `note-${number}`, content: `${who} ${did} ${what} ${when}, see ticket ${1_000 + number}.` };
  });
