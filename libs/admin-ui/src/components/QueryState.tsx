import type { ComponentProps } from 'react';
import { Alert, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useLocation } from 'react-router';
import { isGone } from '../api/api-error';
import { ErrorNotice } from './ErrorNotice';
import { LoadingLines } from './LoadingLines';
import type { Pages } from './LoadMore';
import { TextLink } from './TextLink';

interface QueryStateProps extends ComponentProps<typeof LoadingLines> {
  query: Pick<Pages, 'isFetchNextPageError'> & {
    error: Error | null;
    isPending: boolean;
    refetch: () => Promise<unknown>;
  };
}

/**
 * Shows the error of a query with a retry button, that its object does not exist, or that it is loading. `LoadMore` shows why a
 * further page could not be loaded.
 */
export function QueryState({ query, ...lines }: QueryStateProps) {
  const { error, isPending, isFetchNextPageError, refetch } = query;
  if (isGone(error)) return <NotFoundNotice />;
  return (
    <>
      {error && !isFetchNextPageError && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <LoadingLines {...lines} />}
    </>
  );
}

/** Says that the object of a page does not exist, and leads to the list of the others. */
function NotFoundNotice() {
  const [, list = ''] = useLocation().pathname.split('/');
  return (
    <Alert role="alert" color="red" title="Not found" icon={<AlertIcon aria-hidden />}>
      <Text size="sm">
        It does not exist, or was deleted. Go <TextLink to={`/${list}`}>back to the list</TextLink>.
      </Text>
    </Alert>
  );
}
