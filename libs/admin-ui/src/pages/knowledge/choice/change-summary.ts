import { countOf, formatNumber } from '../../../text/format';
import type { ChangeResult } from '../use-collection';

/** Summarises the outcome of a change in one line: "12 documents are deleted. 2 stay as they are." */
export function summaryOf({ change, documents, untried }: ChangeResult): string {
  const of = (...outcomes: string[]) => documents.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const done = of('deleted', 'updated');
  const same = of('unchanged');
  const left = of('outdated', 'missing', 'failed');
  const verb = change.change === 'delete' ? 'deleted' : 'changed';
  return [
    `${countOf(done, 'document')} ${done === 1 ? 'is' : 'are'} ${verb}.`,
    ...(same > 0 ? [`${formatNumber(same)} had ${change.addTags ? 'the tags already' : 'none of the tags'}.`] : []),
    ...(left > 0 ? [`${formatNumber(left)} could not be ${verb}.`] : []),
    ...(untried.length > 0 ? [`${formatNumber(untried.length)} may not be ${verb} yet: still chosen.`] : []),
  ].join(' ');
}
