import type { Grant } from '../../../access/oauth/grant.store.js';
import type { Program } from '../../../access/oauth/program.store.js';
import { ClientToolView } from '../clients/clients.schema.js';
import { Flag, Parts, Text, Texts, Time } from '../api/fields.decorators.js';
import { PageQuery } from '../api/page.schema.js';

export class SignInSearchQuery extends PageQuery {
  @Text({ max: 200, optional: true, says: 'Part of a name, an address or an account.' }) q?: string;
}

/** The question to a person before a program may act for them. */
export class SignInView {
  @Text() id!: string;
  @Text({ says: 'Name that the program claims, which is unverified.' }) name!: string;
  @Text({ says: 'The host that proves the identity of the program; empty = unproven.' }) proven!: string;
  @Text({ says: 'Where you are redirected afterwards: a host, or the scheme of a program on your machine.' })
  host!: string;
  @Text({ says: 'The endpoint that the program wants to use; several are separated by commas.' }) resource!: string;
  @Parts(ClientToolView, { says: 'What the policies would let you do through it.' }) tools!: ClientToolView[];
}

export class SignInEndView {
  @Text({ says: 'The client_id of the program.' }) program!: string;
  @Text({ says: 'Where to send the browser, with its cookies; from there, it is redirected to the program.' })
  to!: string;
}

export class GrantView {
  @Text() id!: string;
  @Text({ says: 'Name of the account.' }) person!: string;
  @Text({ says: 'The client_id of the program.' }) program!: string;
  @Text({ says: 'Name that the program reports.' }) name!: string;
  @Text({ says: 'The redirect address that the program used.' }) host!: string;
  @Text({ says: 'The host that proves the identity of the program; empty = unproven.' }) proven!: string;
  @Time() createdAt!: Date;
  @Time({ nullable: true, says: 'Within five minutes; null = not yet.' }) usedAt!: Date | null;
  @Time() expiresAt!: Date;
}

export class GrantListView {
  @Parts(GrantView, { says: 'The latest first, a hundred at most.' }) items!: GrantView[];
}

/** A program that registered itself, or that an administrator added. */
export class SignInProgramView {
  @Text({ says: 'Its client_id.' }) id!: string;
  @Text() name!: string;
  @Texts() redirectUris!: string[];
  @Flag({ says: 'Whether an administrator has added it.' }) isListed!: boolean;
  @Time() createdAt!: Date;
  @Time({ nullable: true, says: 'When somebody last permitted it; null = never.' })
  usedAt!: Date | null;
}

const ProgramName = () => Text({ min: 1, max: 100, says: 'Displayed name of the program.' });

export class NewProgramBody {
  @ProgramName() name!: string;
  @Texts({ least: 1, most: 20, max: 2_000, says: 'The redirect addresses of the program.' }) redirectUris!: string[];
  @Flag({ optional: true, default: false, says: 'Whether it runs on a server, which can keep a secret.' })
  hasSecret: boolean = false;
}

export class ProgramDocumentBody {
  @ProgramName() name!: string;

  @Text({
    max: 2_000,
    pattern: /^https:\/\/[!-~]+$/,
    rule: 'must be a URL that begins with https://',
    example: 'https://claude.ai/oauth/claude-code-client-metadata',
    says: 'The address of its metadata document, which is its client_id.',
  })
  documentUrl!: string;
}

export class NewProgramView {
  @Text({ says: 'The client_id to enter in the program.' }) id!: string;
  @Text({ nullable: true, says: 'The client_secret, shown this once; null = the program has none.' })
  secret!: string | null;
}

export const toGrantView = ({ ...grant }: Grant): GrantView => grant;

export const toSignInProgramView = ({ id, metadata, isListed, createdAt, usedAt }: Program): SignInProgramView => ({
  id,
  name: typeof metadata['client_name'] === 'string' ? metadata['client_name'] : '',
  redirectUris: Array.isArray(metadata['redirect_uris']) ? metadata['redirect_uris'].map(String) : [],
  isListed,
  createdAt,
  usedAt,
});
