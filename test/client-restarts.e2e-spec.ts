import { CLIENTS } from './restarts/clients.js';
import { type Outage, OutageRun, ROUTES } from './restarts/outage.js';
import { describeWith, findProgram } from './support/left-out.js';

const OUTAGES: readonly Outage[] = [1, 5, 15].flatMap((seconds) => [
  { seconds, how: 'stop' as const },
  { seconds, how: 'kill' as const },
]);

// All outages, for all clients, run concurrently.
const runs = new Map<Outage, OutageRun>();

beforeAll(() => {
  const nginx = findProgram('nginx');
  for (const outage of OUTAGES) runs.set(outage, new OutageRun(outage, nginx));
});
afterAll(async () => {
  await Promise.all([...runs.values()].map((run) => run.stop()));
});

const [DIRECT, THROUGH_NGINX] = ROUTES;
const cases = OUTAGES.flatMap((outage) => CLIENTS.map((kind) => ({ ...kind, ...outage, kind, outage })));
const TITLE = '$name in $protocol go on after $seconds s without the service ($how), and hear of the next change';

describe('clients that connect directly', () => {
  it.each(cases)(TITLE, async ({ kind, outage }) => runs.get(outage)?.outcomeOf(kind, DIRECT));
});

describeWith('nginx', 'clients behind nginx', () => {
  it.each(cases)(TITLE, async ({ kind, outage }) => runs.get(outage)?.outcomeOf(kind, THROUGH_NGINX));
});
