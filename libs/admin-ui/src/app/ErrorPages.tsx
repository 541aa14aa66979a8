import { Text } from '@mantine/core';
import { isMissingFile } from '../components/missing-file';
import { useRouteError } from 'react-router';
import { ErrorNotice } from '../components/ErrorNotice';
import { PageHeader } from '../components/PageHeader';
import { TextLink } from '../components/TextLink';

/** Shown when a page fails. */
export function RouteError() {
  const error = useRouteError();
  const shown = isMissingFile(error) ? new Error(MISSING_FILE) : error;
  return <ErrorNotice error={shown} onRetry={() => window.location.reload()} retryLabel="Reload" m="md" />;
}

const MISSING_FILE =
  'This page could not be loaded: the service does not answer, or was updated since you opened the administration. Reload it in a moment.';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <Text>
        There is no page at this address. Go to the <TextLink to="/">overview</TextLink>.
      </Text>
    </>
  );
}
