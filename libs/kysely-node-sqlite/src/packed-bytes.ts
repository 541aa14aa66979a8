/**
 * Packs the binary columns of rows into one array, which can be sent to another thread without a copy; returns null when they
 * have none. Replaces each value in the rows by its position in the array: `[start, end]`.
 */
export function packBytes(rows: readonly Record<string, unknown>[]): Uint8Array<ArrayBuffer> | null {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const row of rows) {
    for (const column in row) {
      const value = row[column];
      if (!(value instanceof Uint8Array)) continue;
      parts.push(value);
      row[column] = [length, (length += value.byteLength)];
    }
  }
  if (parts.length === 0) return null;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/** Restores the binary columns of the rows, in place. */
export function unpackBytes(rows: readonly Record<string, unknown>[], bytes: Uint8Array<ArrayBuffer>): void {
  for (const row of rows) {
    for (const column in row) {
      const value = row[column]; // SQLite has no other array values
      if (Array.isArray(value)) row[column] = bytes.subarray(...(value as [number, number]));
    }
  }
}
