import { useRouteError } from 'react-router';
import { ErrorNotice } from '../components/ErrorNotice';

/** Also seen when a part of the pages is gone because the service was updated: loading again brings the new one. */
export function RouteError() {
  return <ErrorNotice error={useRouteError()} onRetry={() => window.location.reload()} retryLabel="Reload" m="md" />;
}
