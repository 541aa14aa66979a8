import { Amount, Parts, Text } from '../api/fields.decorators.js';

class ClientUsageView {
  @Text({ says: 'Name of a client; admin and service = runs that an administrator or a trigger starts.' })
  client!: string;
  @Amount({ says: 'Tokens that it has used, or reserved for requests in progress.' }) tokens!: number;
}

export class LlmUsageView {
  @Amount({ says: 'Tokens of all clients together.' }) used!: number;
  @Amount({ nullable: true, says: 'Limit of all clients together; null = none.' }) totalLimit!: number | null;
  @Amount({ nullable: true, says: 'Limit of each client; null = none.' }) limit!: number | null;
  @Parts(ClientUsageView, { says: 'The 100 clients that have used most, the one with the most first.' })
  clients!: ClientUsageView[];
}
