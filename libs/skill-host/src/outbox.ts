/** Batches all messages of one turn of the event loop: a write to a pipe costs more than its contents. */
export class Outbox<Message> {
  private waiting: Message[] = [];

  /** @param post must not throw */
  constructor(private readonly post: (messages: readonly Message[]) => void) {}

  add(message: Message): void {
    this.waiting.push(message);
    if (this.waiting.length === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const messages = this.waiting;
    this.waiting = [];
    this.post(messages);
  }
}
