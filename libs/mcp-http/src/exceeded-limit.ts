export const LIMITED = ['calls', 'streams', 'sessions'] as const;

/** A limit that a request exceeded: of its client, or of all clients together. */
export interface ExceededLimit {
  limit: (typeof LIMITED)[number];
  scope: 'client' | 'all';
}

export type OnExceeded = (exceeded: ExceededLimit) => void;
