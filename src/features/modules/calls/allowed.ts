import { isAmongHosts } from '../../workflows/secrets/secret-limits.rules.js';
import { type DeclaredUses, MOST_STATE } from '../declared/module.js';
import { RequestRefused } from './module-calls.errors.js';

/** @throws RequestRefused when a skill does not declare the host */
export function assertMayAsk(url: URL, { hosts }: DeclaredUses): void {
  if (!isAmongHosts(url, hosts))
    throw new RequestRefused(`the skill does not declare the host ${url.host}: add it to uses.hosts`);
}

/** @throws RequestRefused when a skill does not declare that it calls this other one */
export function assertMayCall(name: string, { skills }: DeclaredUses): void {
  if (!skills.includes(name))
    throw new RequestRefused(`the skill does not declare that it calls ${name.slice(0, 64)}: add it to uses.skills`);
}

/** @throws RequestRefused when a skill does not declare a state */
export function assertHasState({ state }: DeclaredUses): void {
  if (!state) throw new RequestRefused('the skill does not declare that it keeps a state: add uses.state');
}

/** @param value JSON @throws RequestRefused when it is too long */
export function assertStateFits(value: string): void {
  if (value.length > MOST_STATE) throw new RequestRefused(`a state may have ${MOST_STATE} characters of JSON`);
}
