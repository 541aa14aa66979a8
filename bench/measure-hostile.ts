import { ATTACKS } from '../test/hostile/attacks.js';
import { type Damage, Siege } from '../test/hostile/siege.js';

/** What each attack does to a service that has just started, and goes on serving others. */
export async function measureHostile(report: (line: string) => void): Promise<Damage[]> {
  const damages: Damage[] = [];
  for (const attack of ATTACKS) {
    const damage = await Siege.of(attack);
    report(`${attack.name}: /health within ${damage.healthMs.toFixed()} ms, ${damage.most.toFixed()} MB`);
    damages.push(damage);
  }
  return damages;
}
