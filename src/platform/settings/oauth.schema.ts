import type { SettingDeclaration } from './setting-declaration.js';

const ON_OFF = { pattern: /^(off|on)$/, patternMeaning: 'off or on', choices: ['off', 'on'] } as const;

/** Settings for people who sign in with their programs. */
export const OAUTH_SETTINGS = {
  'oauth.enabled': {
    type: 'string',
    group: 'oauth',
    description:
      'Whether people can connect programs by signing in (OAuth), at /mcp/oauth. on = they can, once PUBLIC_URL begins with ' +
      'https://, or with http:// on this machine; off = programs need a key.',
    default: 'off',
    ...ON_OFF,
  },
  'oauth.on_mcp_path': {
    type: 'string',
    group: 'oauth',
    description:
      'Whether /mcp takes sign-ins, too. on = one URL for everybody, but programs that have a key may stop using it and ask ' +
      'people to sign in; off = /mcp takes keys only, and says nothing of OAuth.',
    default: 'off',
    ...ON_OFF,
  },
  'oauth.programs': {
    type: 'string',
    group: 'oauth',
    description:
      'Which programs people may sign in with. any = each that registers, after the person has allowed it; listed = only those ' +
      'that an administrator has entered.',
    default: 'any',
    pattern: /^(any|listed)$/,
    patternMeaning: 'any or listed',
    choices: ['any', 'listed'],
  },
  'oauth.metadata_documents': {
    type: 'string',
    group: 'oauth',
    description:
      'Whether programs may name the metadata document that their maker publishes, which the service reads from the internet. ' +
      'on = they may; off = they register instead, also where the service does not reach the internet.',
    default: 'on',
    ...ON_OFF,
  },
  'oauth.issuer': {
    type: 'string',
    group: 'oauth',
    description:
      'Issuer whose access tokens are taken instead of those of this service: the issuer of a provider on the page Single ' +
      'sign-on, exactly as it is written there. Empty = people sign in with their programs at this service.',
    default: '',
    pattern: /^(https?:\/\/[^\s?#]{1,490})?$/,
    patternMeaning: 'empty, or the URL of an issuer such as https://login.example.com',
  },
  'oauth.audience': {
    type: 'string',
    group: 'oauth',
    description:
      'Audience that the access tokens of oauth.issuer must name. Empty = the URL of the endpoint, as MCP has it; some issuers ' +
      'give another, such as api://... or the id of an application.',
    default: '',
    pattern: /^[!-~]{0,500}$/,
    patternMeaning: 'empty, or a text without spaces of at most 500 characters',
  },
  'oauth.scopes': {
    type: 'string_list',
    group: 'oauth',
    description: 'Scopes that programs ask oauth.issuer for, and that its access tokens must have.',
    default: [],
    pattern: /^[!#-[\]-~]{1,200}$/,
    patternMeaning: 'scopes, each of at most 200 characters without spaces and quotes',
  },
} as const satisfies Record<string, SettingDeclaration>;
