import { formatAgo, formatDate } from '../text/format';

/** A moment as "3 minutes ago", exact when pointed at. */
export function Ago({ at }: { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatDate(moment)}>
      {formatAgo(moment, new Date())}
    </time>
  );
}
