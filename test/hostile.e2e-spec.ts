import { ATTACKS } from './hostile/attacks.js';
import { Siege } from './hostile/siege.js';

const MOST_MEGABYTES = 600;

// How long others wait meanwhile depends on the machine: `npm run bench -- --only hostile` tells.
describe('the service under attack', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))(
    'serves on, in bounded memory, after %s',
    async (_name, attack) => {
      const { most, healthMs } = await Siege.of(attack);
      expect(most).toBeLessThan(MOST_MEGABYTES);
      expect(healthMs).toBeLessThan(Number.POSITIVE_INFINITY);
    },
    180_000,
  );
});
