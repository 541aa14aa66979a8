/** Parses a stream of Server-Sent Events that arrives in arbitrary pieces. */
export class EventStreamParser {
  private rest = '';

  /** Takes the next piece, and returns the data of the events that it completes. */
  push(piece: string): string[] {
    const events = (this.rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.rest = events.pop() ?? '';
    return events.map(dataOf).filter((data) => data !== null);
  }
}

function dataOf(event: string): string | null {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'));
  // Streams begin with an event without data, and contain comments as keep-alive.
  const data = lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
  return data === '' ? null : data;
}
