import {
  type CallTotals,
  PERIODS,
  type Period,
  type SpanOfCalls,
} from '../../../access/audit/call-statistics.service.js';
import type { ConnectedProgram } from '../../../access/clients/connected-clients.service.js';
import type { McpState } from '../../../access/clients/mcp-status.service.js';
import { OAUTH_LACKS, type OAuthLack } from '../../../access/clients/oauth-addresses.service.js';
import { Amount, Flag, Integer, OneOf, Parts, Text, Time } from '../api/fields.decorators.js';

export class OverviewQuery {
  @OneOf(PERIODS, { optional: true, default: 'hour', says: 'Period for the call statistics.' })
  period: Period = 'hour';
}

class CallSpan implements SpanOfCalls {
  @Time({ says: 'Start of the time span.' }) at!: Date;
  @Amount() calls!: number;
  @Amount() errors!: number;
  @Amount({ says: 'Number of calls denied by policy, which also count as errors.' }) denied!: number;
  @Amount({ nullable: true, says: 'Median duration of a call; null without calls.' }) p50Ms!: number | null;
  @Amount({ nullable: true, says: '95th percentile of the duration of a call; null without calls.' }) p95Ms!:
    number | null;
}

class CallError {
  @Integer({ says: 'Number of the entry in the audit log.' }) seq!: number;
  @Text({ format: 'date-time' }) at!: string;
  @Text() tool!: string;
  @Text() client!: string;
  @OneOf(['error', 'invalid', 'denied', 'unknown', 'timeout']) outcome!: string;
  @Amount() durationMs!: number;
  @Text({ nullable: true }) message!: string | null;
}

class Caller implements CallTotals {
  @Text({ says: 'Name of a client.' }) client!: string;
  @Amount() calls!: number;
  @Amount() errors!: number;
  @Amount({ says: 'Number of calls denied by policy, which also count as errors.' }) denied!: number;
}

class ProgramView implements ConnectedProgram {
  @Text({ says: 'Name of the client whose key the program uses.' }) client!: string;
  @Text({ says: 'Name that the program reports; "unknown" without one.' }) name!: string;
  @Text() version!: string;
  @Text({ example: '2026-07-28' }) protocolVersion!: string;
  @Time() lastSeenAt!: Date;
  @Amount({ says: 'Number of streams that the program holds open to this process.' }) streams!: number;
}

export class Overview {
  @OneOf(['running', 'unconfigured', 'starting', 'stopping']) mcp!: McpState;
  @Text({ nullable: true, says: 'URL of the MCP endpoint; null when PUBLIC_URL is not set.' }) mcpUrl!: string | null;
  @Flag({ says: 'Whether an API key is set; without one, all calls are refused.' }) keyConfigured!: boolean;
  @Text() version!: string;
  @Amount() uptimeSeconds!: number;
  @Amount({ says: 'Number of clients that have a key.' }) clients!: number;
  @Amount({ says: 'Number of open MCP sessions. Protocol version 2026-07-28 has no sessions.' }) sessions!: number;
  @Amount({ says: 'Number of streams that MCP clients hold open to this process.' }) streams!: number;

  @Parts(ProgramView, {
    says: 'Programs that have called this process since it started, the latest caller first; at most 100.',
  })
  programs!: ConnectedProgram[];

  @Parts(CallSpan, {
    says: 'Calls in each part of the period, of all replicas: 60 minutes, 24 hours, or 28 times 6 hours; the current one comes last.',
  })
  spans!: CallSpan[];

  @Parts(Caller, {
    says: 'Clients that called in the period, the most often denied first; at most 50. For `hour`, in this hour of the clock and the one before.',
  })
  callers!: Caller[];

  @Parts(CallError, { says: 'Calls of the period that failed, the latest first; at most 50.' })
  latestErrors!: readonly CallError[];
}

export class SignInAddressView {
  @Text({ nullable: true, says: 'URL of the endpoint for programs that people sign in with; null when nobody can.' })
  url!: string | null;

  @OneOf(OAUTH_LACKS, { nullable: true, says: 'Why nobody can sign in; null when people can.' })
  lack!: OAuthLack | null;

  @Text({ nullable: true, says: 'External issuer at which they sign in; null = this service.' })
  issuer!: string | null;
}

export class OwnPagePass {
  @Text({ says: 'Pass for the page, valid for ten minutes.' }) pass!: string;
}
