import { ArrayUnique } from 'class-validator';
import { ADMIN_ROLES, type AdminRole } from '../../../access/accounts/administrator.js';
import {
  DEFAULT_SCOPES,
  type GroupRule,
  ISSUER,
  ISSUER_RULE,
  MAX_CLAIM,
  MAX_CLIENT_ID,
  MAX_CLIENT_SECRET,
  MAX_ISSUER,
  MAX_PROVIDER_GROUP,
  MAX_RULES,
  MAX_SCOPES,
  MAX_TITLE,
  PROVIDER_NAME,
  PROVIDER_NAME_RULE,
  SCOPE,
  SCOPE_RULE,
  type LoginProvider,
} from '../../../access/single-sign-on/login-provider.js';
import type { ProviderChange } from '../../../access/single-sign-on/login-providers.service.js';
import { type Field, Flag, Groups, OneOf, Parts, Text, Texts, Time } from '../api/fields.decorators.js';

const PERSON_CLAIM =
  'Claim that people are known by: sub, or another that never changes and is never given to somebody else, such as oid of Microsoft Entra. Its people get new accounts when it is changed.';
const GROUPS_CLAIM = 'Claim that lists the groups of a person, such as groups or realm_access.roles; null = none.';
const RULES = 'What it means to be in a group of the provider; applied at each login.';
const MAKES_ACCOUNTS = 'Whether the first login of a person makes an account.';
const DEFAULT_ROLE = 'Role of people whom no rule gives one.';

const Title = (field: Field) => Text({ min: 1, max: MAX_TITLE, example: 'Company', ...field });
const Issuer = (field: Field) =>
  Text({ max: MAX_ISSUER, pattern: ISSUER, rule: ISSUER_RULE, example: 'https://login.example.com', ...field });
const ClientId = (field: Field) => Text({ min: 1, max: MAX_CLIENT_ID, ...field });

export class GroupRuleBody implements GroupRule {
  @Text({ min: 1, max: MAX_PROVIDER_GROUP, example: 'it-operations', says: 'The group as the provider names it.' })
  group!: string;

  @OneOf(ADMIN_ROLES, { enumName: 'AdminRole', nullable: true, says: 'Least role of its members; null = no role.' })
  role!: AdminRole | null;

  @Groups({ says: 'Groups that policies see its members in.' }) groups!: string[];
}

const TITLE = 'Shown on its button on the login page.';
const ISSUER_SAYS = 'Issuer of the provider, exactly as it calls itself.';
const CLIENT_ID = 'Id of this service at the provider.';

class ProviderOptionsBody implements ProviderChange {
  @Text({
    min: 1,
    max: MAX_CLIENT_SECRET,
    optional: true,
    nullable: true,
    says: 'Secret of this service at the provider; null = none. It cannot be read again, and goes to no other issuer.',
  })
  secret?: string | null;

  @ArrayUnique()
  @Texts({ most: MAX_SCOPES, pattern: SCOPE, rule: SCOPE_RULE, optional: true, example: [...DEFAULT_SCOPES] })
  scopes?: string[];

  @Text({ min: 1, max: MAX_CLAIM, optional: true, says: PERSON_CLAIM }) personClaim?: string;
  @Text({ min: 1, max: MAX_CLAIM, optional: true, nullable: true, says: GROUPS_CLAIM }) groupsClaim?: string | null;
  @Parts(GroupRuleBody, { most: MAX_RULES, optional: true, says: RULES }) rules?: GroupRuleBody[];
  @Flag({ optional: true, says: MAKES_ACCOUNTS }) makesAccounts?: boolean;
  @OneOf(ADMIN_ROLES, { enumName: 'AdminRole', optional: true, says: DEFAULT_ROLE }) defaultRole?: AdminRole;
  @Flag({ optional: true, says: 'Whether people can log in there.' }) enabled?: boolean;
}

/** Omitted members stay unchanged. */
export class LoginProviderBody extends ProviderOptionsBody {
  @Title({ optional: true, says: TITLE }) title?: string;
  @Issuer({ optional: true, says: ISSUER_SAYS }) issuer?: string;
  @ClientId({ optional: true, says: CLIENT_ID }) clientId?: string;
}

export class NewLoginProviderBody extends ProviderOptionsBody {
  @Text({
    pattern: PROVIDER_NAME,
    rule: PROVIDER_NAME_RULE,
    example: 'company',
    says: 'Identifies the provider in paths.',
  })
  name!: string;

  @Title({ says: TITLE }) title!: string;
  @Issuer({ says: ISSUER_SAYS }) issuer!: string;
  @ClientId({ says: CLIENT_ID }) clientId!: string;
}

export class LoginProviderView implements LoginProvider {
  @Text({ example: 'company' }) name!: string;
  @Text({ example: 'Company' }) title!: string;
  @Text({ example: 'https://login.example.com' }) issuer!: string;
  @Text() clientId!: string;
  @Flag({ says: 'Whether the service has a secret there.' }) hasSecret!: boolean;
  @Texts() scopes!: readonly string[];
  @Text({ example: 'sub', says: PERSON_CLAIM }) personClaim!: string;
  @Text({ nullable: true, says: GROUPS_CLAIM }) groupsClaim!: string | null;
  @Parts(GroupRuleBody, { says: RULES }) rules!: GroupRuleBody[];
  @Flag({ says: MAKES_ACCOUNTS }) makesAccounts!: boolean;
  @OneOf(ADMIN_ROLES, { enumName: 'AdminRole', says: DEFAULT_ROLE }) defaultRole!: AdminRole;
  @Flag() enabled!: boolean;
  @Time() createdAt!: Date;
}

export class LoginProviderTest {
  @Texts({ says: 'The problems that prevent logins; empty = none found.' }) problems!: string[];
  @Texts({ says: 'What may be wrong.' }) warnings!: string[];
}

/** A provider as the login page shows it. */
class LoginChoice {
  @Text({ example: 'company' }) name!: string;
  @Text({ example: 'Company' }) title!: string;
}

export class LoginChoices {
  @Parts(LoginChoice) items!: LoginChoice[];
  @Flag({ says: 'Whether only the account admin may use a password (setting sso.only).' })
  onlyAdminHasPassword!: boolean;
}

export const toProviderView = (provider: LoginProvider): LoginProviderView => ({
  ...provider,
  rules: provider.rules.map(({ group, role, groups }) => ({ group, role, groups: [...groups] })),
});

export const toChoices = (providers: readonly LoginProvider[], onlyAdminHasPassword: boolean): LoginChoices => ({
  items: providers.filter(({ enabled }) => enabled).map(({ name, title }) => ({ name, title })),
  onlyAdminHasPassword,
});
