import { Text } from '@mantine/core';
import { useRouteError } from 'react-router';
import { ErrorNotice } from '../components/ErrorNotice';
import { PageHeader } from '../components/PageHeader';
import { TextLink } from '../components/TextLink';

/**
 * Shown when a page fails. This also happens after an update of the service, when files of the old build are gone: reloading
 * helps.
 */
export function RouteError() {
  return <ErrorNotice error={useRouteError()} onRetry={() => window.location.reload()} retryLabel="Reload" m="md" />;
}

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
