import { Injectable } from '@nestjs/common';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { McpTransport } from './mcp-transport.provider.js';
import { ReplicaRelay } from './replica-relay.service.js';

/** Hands to the endpoint what other replicas tell of its sessions and calls. */
@Injectable()
export class RelayListener {
  constructor(
    channel: ReplicaChannel,
    private readonly relay: ReplicaRelay,
    private readonly transport: McpTransport,
  ) {
    channel.on('relay', (detail) => (detail === null ? this.catchUp() : this.hear(detail)));
  }

  private async hear(detail: string): Promise<void> {
    const news = await this.relay.read(detail);
    if (news) await this.transport.endpoint.hear(news);
  }

  /** Takes over what may have been missed. Messages may come a second time, which does nothing. */
  private async catchUp(): Promise<void> {
    await this.transport.endpoint.hear(null);
    for (const news of await this.relay.latest()) await this.transport.endpoint.hear(news);
  }
}
