import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';

/** A question to the policy, in Cedar's terms: may this principal do this action on this resource? */
export interface PolicyRequest {
  principal: Client;
  action: 'callTool' | 'readResource';
  /** Name of the tool, or URI of the resource. */
  resource: string;
  /** Arguments of the call; absent when the question is only whether to list the tool or resource. */
  context?: Readonly<Record<string, unknown>>;
}

export interface PolicyDecision {
  allowed: boolean;
  /** Name of the policy that forbids the action; null when it is allowed, or when no policy permits it. */
  policy: string | null;
}

const PERMITTED: PolicyDecision = Object.freeze({ allowed: true, policy: null });

/**
 * Decides what clients may do: is asked before every tool call and resource read, and for every entry of a list. Allows
 * everything to every client with a valid key.
 */
@Injectable()
export class PolicyService {
  decide(_request: PolicyRequest): PolicyDecision {
    return PERMITTED;
  }
}
