import { formatAgo, formatDate, formatUntil } from '../text/format';

/** Shows a past time as "3 minutes ago", with the exact time in a tooltip. */
export function Ago({ at }: { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatDate(moment)}>
      {formatAgo(moment, new Date())}
    </time>
  );
}

/** Shows a future time as "in 3 minutes", with the exact time in a tooltip. */
export function Until({ at }: { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatDate(moment)}>
      {formatUntil(moment, new Date())}
    </time>
  );
}
