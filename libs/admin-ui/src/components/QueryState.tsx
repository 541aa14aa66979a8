import type { ComponentProps } from 'react';
import { ErrorNotice } from './ErrorNotice';
import { LoadingLines } from './LoadingLines';

interface QueryStateProps extends ComponentProps<typeof LoadingLines> {
  query: { error: Error | null; isPending: boolean; refetch: () => Promise<unknown> };
}

/** Shows the error of a query with a retry button, or that it is loading. */
export function QueryState({ query: { error, isPending, refetch }, ...lines }: QueryStateProps) {
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <LoadingLines {...lines} />}
    </>
  );
}
