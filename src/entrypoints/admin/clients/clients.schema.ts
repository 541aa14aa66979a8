import {
  CLIENT_NAME,
  CLIENT_NAME_RULE,
  type ClientKey,
  type ClientLimits,
  MAX_NOTE,
  MAX_OVERLAP_HOURS,
} from '../../../access/clients/client.js';
import type { PolicyOutlook } from '../../../access/policy/policy-request.js';
import { Flag, Groups, Integer, OneOf, Part, Parts, Text, Texts, Time } from '../api/fields.decorators.js';

const MOST_REQUESTS = 1_000_000;
const MOST_AT_ONCE = 100_000;

const limit = (min: number, max: number, says: string) => ({
  min,
  max,
  nullable: true,
  says: `${says} Null = the setting for every client.`,
});
const REQUESTS = limit(0, MOST_REQUESTS, 'Requests a minute; 0 is no limit.');
const CALLS = limit(1, MOST_AT_ONCE, 'Calls at once to one process.');
const STREAMS = limit(1, MOST_AT_ONCE, 'Streams open to one process.');
const SESSIONS = limit(1, MOST_AT_ONCE, 'Sessions.');

class ClientLimitsBody implements Partial<ClientLimits> {
  @Integer({ ...REQUESTS, optional: true }) requestsPerMinute?: number | null;
  @Integer({ ...CALLS, optional: true }) calls?: number | null;
  @Integer({ ...STREAMS, optional: true }) streams?: number | null;
  @Integer({ ...SESSIONS, optional: true }) sessions?: number | null;
}

/** Omitted members stay unchanged. */
export class ClientBody {
  @Text({ max: MAX_NOTE, optional: true, says: 'Owner and purpose of the key.' }) note?: string;

  @Groups({ optional: true, says: 'Groups, for policies. A group exists as long as a client is in it.' })
  groups?: string[];

  @Time({
    fromText: true,
    optional: true,
    nullable: true,
    says: 'Expiry of the keys, with an offset such as Z; null = never.',
  })
  expiresAt?: Date | null;

  @Part(ClientLimitsBody, {
    optional: true,
    says: 'Limits of the client. Omitted limits stay as they are; those of a new client are the settings.',
  })
  limits?: ClientLimitsBody;
}

export class NewClientBody extends ClientBody {
  @Text({
    pattern: CLIENT_NAME,
    rule: CLIENT_NAME_RULE,
    example: 'ci',
    says: 'Name of the client, other than default, admin, service or anonymous. It cannot be changed later.',
  })
  name!: string;
}

export class RotationBody {
  @Integer({
    min: 0,
    max: MAX_OVERLAP_HOURS,
    says: 'Hours that the previous key stays valid. With 0 it ends at once, and so do its sessions and streams.',
  })
  overlapHours!: number;
}

class ClientLimitsView implements ClientLimits {
  @Integer(REQUESTS) requestsPerMinute!: number | null;
  @Integer(CALLS) calls!: number | null;
  @Integer(STREAMS) streams!: number | null;
  @Integer(SESSIONS) sessions!: number | null;
}

class ClientKeyView implements ClientKey {
  @Text() id!: string;
  @Text({ example: 'ask_7Gq2mZ0x', says: 'The first characters of the key.' }) shown!: string;
  @Time() createdAt!: Date;
  @Time({ nullable: true, says: 'Expiry of the key; null = that of the client.' }) expiresAt!: Date | null;
}

export class ClientView {
  @Text({ example: 'ci' }) name!: string;

  @Flag({ says: 'Whether this is the client of mcp.api_key, which always exists and cannot be changed here.' })
  isDefault!: boolean;

  @Flag({ says: 'Whether the client has a valid key.' }) hasValidKey!: boolean;
  @Text() note!: string;
  @Texts() groups!: readonly string[];
  @Part(ClientLimitsView) limits!: ClientLimits;
  @Parts(ClientKeyView, { says: 'Keys, the oldest first. The key of the client default is a setting.' })
  keys!: ClientKey[];
  @Time({ nullable: true, says: 'Expiry of the client; null = never.' }) expiresAt!: Date | null;
  @Time({ nullable: true, says: 'Creation time; null for the client default.' }) createdAt!: Date | null;
  @Time({ nullable: true, says: 'Time of the last call, to about a minute; null = never.' }) lastUsedAt!: Date | null;
  @Text({ nullable: true, says: 'IP address of the last call.' }) lastAddress!: string | null;
  @Text({ nullable: true, says: 'Name that the program of the last call reports.' }) lastProgram!: string | null;
}

export class ClientKeyShown extends ClientView {
  @Text({ says: 'The new key. It is not shown again.' }) key!: string;
}

const USES = ['allowed', 'depends', 'approval', 'refused'] as const satisfies readonly PolicyOutlook['use'][];

export class ClientToolView {
  @Text() name!: string;
  @Text({ nullable: true }) title!: string | null;

  @OneOf(USES, {
    says: 'Whether calls are allowed; with "depends", arguments or the time decide, and with "approval", a person must confirm each call.',
  })
  use!: PolicyOutlook['use'];

  @Texts({ says: 'Names of the policies that decide.' }) policies!: string[];
}

export class ClientGroupsView {
  @Texts({ says: 'Groups in alphabetical order.' }) items!: string[];
}
