import type { Schemas } from '../../api/client';
import type { GroupRule, Provider } from './use-providers';

/** The draft of the form. */
export interface ProviderDraft {
  name: string;
  title: string;
  issuer: string;
  clientId: string;
  /** Empty = unchanged. */
  secret: string;
  scopes: string[];
  personClaim: string;
  groupsClaim: string;
  rules: GroupRule[];
  makesAccounts: boolean;
  defaultRole: Provider['defaultRole'];
  enabled: boolean;
}

export const NEW_PROVIDER: ProviderDraft = {
  name: '',
  title: '',
  issuer: '',
  clientId: '',
  secret: '',
  scopes: ['openid', 'profile', 'email'],
  personClaim: 'sub',
  groupsClaim: '',
  rules: [],
  makesAccounts: true,
  defaultRole: 'member',
  enabled: true,
};

export const draftOf = ({ hasSecret: _hasSecret, createdAt: _createdAt, groupsClaim, ...provider }: Provider) => ({
  ...provider,
  secret: '',
  groupsClaim: groupsClaim ?? '',
});

export const toBody = ({ secret, groupsClaim, ...draft }: ProviderDraft): Schemas['NewLoginProviderBody'] => ({
  ...draft,
  groupsClaim: groupsClaim === '' ? null : groupsClaim,
  ...(secret !== '' && { secret }),
});

/** Returns a draft without its secret as one text, for comparing it with another. */
export const textOf = (draft: ProviderDraft): string =>
  [
    `Title: ${draft.title}`,
    `Issuer: ${draft.issuer}`,
    `Client ID: ${draft.clientId}`,
    `Scopes: ${draft.scopes.join(', ')}`,
    `Subject claim: ${draft.personClaim}`,
    `Groups claim: ${draft.groupsClaim}`,
    ...draft.rules.map(
      ({ group, role, groups }) => `Rule: ${group}; role: ${role ?? 'none'}; groups: ${groups.join(', ')}`,
    ),
    `Default role: ${draft.defaultRole}`,
    `Create accounts: ${draft.makesAccounts ? 'yes' : 'no'}`,
    `Enabled: ${draft.enabled ? 'yes' : 'no'}`,
  ].join('\n');
