import { ATTACKS } from './hostile/attacks.js';
import { Siege } from './hostile/siege.js';

const MOST_MEGABYTES = 600;

// How long others wait meanwhile depends on the machine; `npm run bench -- --only hostile` measures it.
describe('the service under attack', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))(
    'goes on serving, within its memory limit, after %s',
    async (_name, attack) => {
      const { most, healthMs } = await Siege.of(attack);
      expect(most).toBeLessThan(MOST_MEGABYTES);
      expect(healthMs).toBeLessThan(Number.POSITIVE_INFINITY);
    },
    180_000,
  );
});
