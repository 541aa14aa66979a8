import { formatDate, formatUntil } from '../text/format';

/** A moment to come as "in 3 minutes", exact when pointed at. */
export function Until({ at }: { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatDate(moment)}>
      {formatUntil(moment, new Date())}
    </time>
  );
}
