import { ATTACKS } from './hostile/attacks.js';
import { Siege } from './hostile/siege.js';

/** V8 heap limit; the service dies when it needs more. */
const HEAP_MEGABYTES = 256;

// Latency for other clients and peak memory during attacks are measured by `npm run bench -- --only hostile`.
describe.each(Object.entries(ATTACKS))('the service under attack of %s, with little memory', (_who, attacks) => {
  let siege: Siege;
  beforeAll(async () => void (siege = await Siege.begin(HEAP_MEGABYTES)));
  afterAll(() => siege.end());

  it.each(attacks.map((attack) => [attack.name, attack] as const))(
    'goes on serving during and after %s',
    async (_name, attack) => {
      const { healthMs } = await siege.suffer(attack);
      expect(healthMs).toBeLessThan(Number.POSITIVE_INFINITY);
    },
  );
});
