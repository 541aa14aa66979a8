import type { RunSummary } from './use-runs';

const STATUSES = ['pending', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const;

/** A filter of runs; omitted members match anything. */
export interface RunFilter {
  name?: string;
  client?: string;
  status?: RunSummary['status'];
  isTest?: boolean;
  isAsking?: boolean;
}

/** Reads the filter from the URL. */
export function filterOf(params: URLSearchParams): RunFilter {
  const state = params.get('state') ?? '';
  const status = STATUSES.find((one) => one === state);
  const [name, client, tests] = [params.get('workflow'), params.get('client'), params.get('tests')];
  return {
    ...(name && { name }),
    ...(client && { client }),
    ...(status && { status }),
    ...(state === 'asking' && { isAsking: true }),
    ...((tests === 'only' || tests === 'none') && { isTest: tests === 'only' }),
  };
}

export const isNarrowed = (filter: RunFilter): boolean => Object.keys(filter).length > 0;

/** Describes the filter in words: "failed runs of digest, started by ide". */
export function describeFilter({ name, client, status, isTest, isAsking }: RunFilter): string {
  const what = [status, isTest === true ? 'test' : null, 'runs'].filter(Boolean).join(' ');
  const details = [
    name && `of ${name}`,
    client && `started by ${client}`,
    isAsking && 'that wait for an answer',
    isTest === false && 'without tests',
  ];
  return [what, ...details.filter(Boolean)].join(' ');
}
