/** The bodies of several batches in one buffer, which can be transferred to a thread without a copy. */
export interface JoinedBodies {
  bytes: Uint8Array<ArrayBuffer>;
  lengths: readonly number[];
}

export function joinBodies(bodies: readonly Uint8Array[]): JoinedBodies {
  const lengths = bodies.map(({ byteLength }) => byteLength);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const body of bodies) {
    bytes.set(body, at);
    at += body.byteLength;
  }
  return { bytes, lengths };
}

export function bodiesIn({ bytes, lengths }: JoinedBodies): Uint8Array[] {
  let at = 0;
  return lengths.map((length) => bytes.subarray(at, (at += length)));
}
