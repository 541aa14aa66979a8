/** Sends all messages of one turn of the event loop as one: a write to a pipe costs more than what is in it. */
export class Outbox<Message> {
  private waiting: Message[] = [];

  /** @param post may not throw */
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
