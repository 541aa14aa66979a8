import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';

/** A question to the policy, in Cedar's terms: may this principal do this action on this resource? */
export interface PolicyRequest {
  principal: Client;
  action: 'callTool' | 'readResource';
  /** Name of the tool, or URI of the resource. */
  resource: string;
  /** Arguments of the call; absent when the question is whether to list the resource. */
  context?: Readonly<Record<string, unknown>>;
}

export interface PolicyDecision {
  allowed: boolean;
  /** Which policy forbids it; null when allowed, or when no policy permits it. */
  policy: string | null;
}

const PERMITTED: PolicyDecision = Object.freeze({ allowed: true, policy: null });

/**
 * The one choke point: asked for every tool call, every resource read and every entry of a list. Every client with a
 * valid key may do everything.
 */
@Injectable()
export class PolicyService {
  decide(_request: PolicyRequest): PolicyDecision {
    return PERMITTED;
  }
}
