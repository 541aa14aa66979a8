import { ATTACKS } from '../test/hostile/attacks.js';
import { type Damage, Siege } from '../test/hostile/siege.js';

/** Memory is given back a while after it is left. */
const SETTLE_MS = 1_500;

/** What each attack does to a service that has just started, and goes on serving others. */
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
