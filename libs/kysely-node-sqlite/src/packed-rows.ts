/** Rows in the form that is cheapest to send to another thread: without an object for each of them. */
export interface PackedRows {
  columns: readonly string[];
  /** The values of all rows, one row after the other; null for binary ones. */
  values: unknown[];
  /** Where the binary values belong: the position of each in `values`, and its length in bytes. */
  places: number[];
  /** All binary values, which are sent without a copy; null = none. */
  bytes: Uint8Array<ArrayBuffer> | null;
}

/** @param rows the values of each row, in the order of the columns */
export function packRows(columns: readonly string[], rows: readonly (readonly unknown[])[]): PackedRows {
  const values: unknown[] = [];
  const places: number[] = [];
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const row of rows) {
    for (const value of row) {
      const isBinary = value instanceof Uint8Array;
      if (isBinary) {
        places.push(values.length, value.byteLength);
        length += value.byteLength;
        parts.push(value);
      }
      values.push(isBinary ? null : value);
    }
  }
  return { columns, values, places, bytes: parts.length === 0 ? null : joined(parts, length) };
}

/** Returns the rows as objects. Uses `values` for its work. */
export function unpackRows<Row>({ columns, values, places, bytes }: PackedRows): Row[] {
  if (bytes) restore(values, places, bytes);
  return Array.from({ length: values.length / Math.max(1, columns.length) }, (_, number) => {
    const row: Record<string, unknown> = {};
    let at = number * columns.length;
    for (const column of columns) row[column] = values[at++];
    return row as Row;
  });
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

function restore(values: unknown[], places: readonly number[], bytes: Uint8Array<ArrayBuffer>): void {
  let from = 0;
  for (let at = 0; at < places.length; at += 2) {
    const [position = 0, length = 0] = places.slice(at, at + 2);
    values[position] = bytes.subarray(from, (from += length));
  }
}
