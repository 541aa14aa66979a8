/** The data of each event in a stream of Server-Sent Events, whose pieces may be cut anywhere. */
export class EventStreamParser {
  private rest = '';

  /** The data of the events that this piece completes. */
  push(piece: string): string[] {
    const events = (this.rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.rest = events.pop() ?? '';
    return events.map(dataOf).filter((data) => data !== null);
  }
}

function dataOf(event: string): string | null {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'));
  // Streams begin with an event of no data, and are kept alive by comments.
  const data = lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
  return data === '' ? null : data;
}
