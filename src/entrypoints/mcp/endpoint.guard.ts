import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Client } from '#skill-kit';

/** A request to the endpoint. */
export interface EndpointRequest extends IncomingMessage {
  /** Who sends it, once the API key guard has let it pass. */
  caller: Client;
}

/** A rule for who may come in, before any of the body is read. Nest's router asks it, and so does the straight way. */
export abstract class EndpointGuard implements CanActivate {
  /** Lets a request pass, at once or in a moment. @throws RequestRefused */
  abstract admit(req: EndpointRequest, res: ServerResponse): void | Promise<void>;

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const admitted = this.admit(http.getRequest<EndpointRequest>(), http.getResponse<ServerResponse>());
    return admitted ? admitted.then(() => true as const) : true;
  }
}
