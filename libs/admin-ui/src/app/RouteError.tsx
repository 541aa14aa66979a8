import { useRouteError } from 'react-router';
import { ErrorNotice } from '../components/ErrorNotice';

/** Shown when a page fails. This also happens after an update of the service, when files of the old build are gone: reloading helps. */
export function RouteError() {
  return <ErrorNotice error={useRouteError()} onRetry={() => window.location.reload()} retryLabel="Reload" m="md" />;
}
