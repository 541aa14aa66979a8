/** How many of one kind there may be at once. */
export interface QuotaLimits {
  perClient: number;
  inAll: number;
}

/** Counts what is open at once: of each client, and in all. */
export class Quota {
  private readonly byClient = new Map<string, number>();
  private all = 0;

  get total(): number {
    return this.all;
  }

  /** Which limit so many more would exceed; null when they fit. */
  exceeded(client: string, more: number, { perClient, inAll }: QuotaLimits): keyof QuotaLimits | null {
    if (this.all + more > inAll) return 'inAll';
    return (this.byClient.get(client) ?? 0) + more > perClient ? 'perClient' : null;
  }

  add(client: string, count: number): void {
    this.all += count;
    this.byClient.set(client, (this.byClient.get(client) ?? 0) + count);
  }

  remove(client: string, count: number): void {
    this.all -= count;
    const left = (this.byClient.get(client) ?? 0) - count;
    if (left > 0) this.byClient.set(client, left);
    else this.byClient.delete(client);
  }
}
