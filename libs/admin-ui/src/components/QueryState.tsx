import type { ComponentProps } from 'react';
import { isGone } from '../api/api-error';
import { ErrorNotice } from './ErrorNotice';
import { LoadingLines } from './LoadingLines';
import { NotFoundNotice } from './NotFoundNotice';

interface QueryStateProps extends ComponentProps<typeof LoadingLines> {
  query: { error: Error | null; isPending: boolean; refetch: () => Promise<unknown> };
}

/** Shows the error of a query with a retry button, that its object does not exist, or that it is loading. */
export function QueryState({ query: { error, isPending, refetch }, ...lines }: QueryStateProps) {
  if (isGone(error)) return <NotFoundNotice />;
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <LoadingLines {...lines} />}
    </>
  );
}
