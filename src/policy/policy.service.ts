import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import type { PolicyDecision } from '../events/app-events.js';

/** A question to the policy, in Cedar's terms: may this principal do this action on this resource? */
export interface PolicyRequest {
  principal: Client;
  action: 'callTool' | 'readResource';
  /** Name of the tool, or URI of the resource. */
  resource: string;
  /** Arguments of the call; absent when the question is only whether to list the tool or resource. */
  context?: Readonly<Record<string, unknown>>;
}

const PERMITTED: PolicyDecision = Object.freeze({ allowed: true, policies: [] });

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

/** Returns the subject of a sentence that says why an action is not allowed. */
export const forbiddenBy = (policies: readonly string[]): string =>
  policies.length > 0 ? `policy ${policies.join(' and ')} forbids` : 'no policy permits';
