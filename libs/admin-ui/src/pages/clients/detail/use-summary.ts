import { countOf } from '../../../text/format';
import type { ClientTool } from '../use-clients';

/** Summarises in a sentence how many tools a client may call. */
export function summaryOfUse(tools: readonly Pick<ClientTool, 'use'>[]): string {
  const numberOf = (wanted: ClientTool['use']) => tools.filter(({ use }) => use === wanted).length;
  const parts = [
    `may call ${numberOf('allowed')}`,
    numberOf('approval') > 0 && `may call ${numberOf('approval')} when a person confirms it`,
    numberOf('depends') > 0 && `may make some calls of ${numberOf('depends')}`,
    numberOf('refused') > 0 && `is refused ${numberOf('refused')}`,
  ].filter((part) => part !== false);
  const [last = '', ...others] = parts.reverse();
  return `Of ${countOf(tools.length, 'tool')}, it ${[others.reverse().join(', '), last].filter(Boolean).join(' and ')}.`;
}
