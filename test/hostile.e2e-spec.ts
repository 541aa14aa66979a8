import { ATTACKS } from './hostile/attacks.js';
import { Siege } from './hostile/siege.js';

/** The service dies when its own objects take more. */
const HEAP_MEGABYTES = 256;

// How long others wait meanwhile, and how much memory it takes at most, `npm run bench -- --only hostile` measures.
describe('the service under attack, with little memory', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))(
    'goes on serving during and after %s',
    async (_name, attack) => {
      const { healthMs } = await Siege.of(attack, HEAP_MEGABYTES);
      expect(healthMs).toBeLessThan(Number.POSITIVE_INFINITY);
    },
  );
});
