import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Client } from '#skill-kit';

export interface EndpointRequest extends IncomingMessage {
  /** The caller, set by the API key guard. */
  caller: Client;
}

/** A check of a request before its body is read, called by Nest's router and by the straight way. */
export abstract class EndpointGuard implements CanActivate {
  /** Admits a request, synchronously or asynchronously. @throws RequestRefused */
  abstract admit(req: EndpointRequest, res: ServerResponse): void | Promise<void>;

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const admitted = this.admit(http.getRequest<EndpointRequest>(), http.getResponse<ServerResponse>());
    return admitted ? admitted.then(() => true as const) : true;
  }
}
