import type { SettingDeclaration } from './setting-declaration.js';
import { ON_OFF } from './text-patterns.js';

/** Settings for people who sign in with their programs. */
export const OAUTH_SETTINGS = {
  'oauth.enabled': {
    type: 'string',
    group: 'oauth',
    description:
      'Whether people can connect programs by signing in (OAuth) at /mcp/oauth. on = they can, if PUBLIC_URL begins ' +
      'with https://, or is an http:// address of this machine; off = programs need a key.',
    default: 'off',
    ...ON_OFF,
  },
  'oauth.on_mcp_path': {
    type: 'string',
    group: 'oauth',
    description:
      'Whether people can also sign in at /mcp. on = one URL for everybody, but programs with a key may ignore it ' +
      'and ask people to sign in; off = /mcp accepts only keys, and does not announce OAuth.',
    default: 'off',
    ...ON_OFF,
  },
  'oauth.programs': {
    type: 'string',
    group: 'oauth',
    description:
      'Which programs people may sign in with. any = every program that registers, once the person allows it; ' +
      'listed = only those that an administrator has added.',
    default: 'any',
    pattern: /^(any|listed)$/,
    patternMeaning: 'any or listed',
    choices: ['any', 'listed'],
  },
  'oauth.metadata_documents': {
    type: 'string',
    group: 'oauth',
    description:
      'Whether programs may identify themselves by a metadata document of their publisher, which the service ' +
      'fetches from the internet. on = they may; off = they register instead, which also works without internet ' +
      'access.',
    default: 'on',
    ...ON_OFF,
  },
  'oauth.issuer': {
    type: 'string',
    group: 'oauth',
    description:
      'Issuer whose access tokens are accepted instead of those of this service: the issuer of a provider on the ' +
      'page Single sign-on, exactly as written there. Empty = people sign in at this service.',
    default: '',
    pattern: /^(https?:\/\/[^\s?#]{1,490})?$/,
    patternMeaning: 'empty, or the URL of an issuer such as https://login.example.com',
  },
  'oauth.audience': {
    type: 'string',
    group: 'oauth',
    description:
      'Required audience of the access tokens of oauth.issuer. Empty = the URL of the endpoint, as MCP specifies. ' +
      'Some issuers use another, such as api://... or an application id.',
    default: '',
    pattern: /^[!-~]{0,500}$/,
    patternMeaning: 'empty, or a text without spaces of at most 500 characters',
  },
  'oauth.scopes': {
    type: 'string_list',
    group: 'oauth',
    description: 'Scopes that programs request from oauth.issuer, and that its access tokens must have.',
    default: [],
    pattern: /^[!#-[\]-~]{1,200}$/,
    patternMeaning: 'scopes, each of at most 200 characters without spaces and quotes',
  },
} as const satisfies Record<string, SettingDeclaration>;
