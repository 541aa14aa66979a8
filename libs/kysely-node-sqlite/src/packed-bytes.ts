/**
 * Puts the bytes of rows into one piece, which is sent to another thread without a copy; returns null when they have
 * none. In the rows, where they are in the piece takes their place: `[start, end]`.
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

/** Puts the bytes back into the rows. Changes the rows. */
export function unpackBytes(rows: readonly Record<string, unknown>[], bytes: Uint8Array<ArrayBuffer>): void {
  for (const row of rows) {
    for (const column in row) {
      const value = row[column]; // no other value of SQLite is an array
      if (Array.isArray(value)) row[column] = bytes.subarray(...(value as [number, number]));
    }
  }
}
