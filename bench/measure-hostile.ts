import { ATTACKS } from '../test/hostile/attacks.js';
import { type Damage, Siege } from '../test/hostile/siege.js';

/** How long to wait until freed memory is returned to the system. */
const SETTLE_MS = 1_500;

/** Attacks a newly started service each time, which serves others meanwhile. */
export async function measureHostile(report: (line: string) => void): Promise<Damage[]> {
  const damages: Damage[] = [];
  for (const attack of Object.values(ATTACKS).flat()) {
    const siege = await Siege.begin();
    try {
      const damage = await siege.suffer(attack, SETTLE_MS);
      report(`${attack.name}: /health within ${damage.healthMs.toFixed()} ms, ${damage.most.toFixed()} MB`);
      damages.push(damage);
    } finally {
      await siege.end();
    }
  }
  return damages;
}
