import type { SettingDeclaration } from './setting-declaration.js';

const ON_OFF = { pattern: /^(off|on)$/, patternMeaning: 'off or on', choices: ['off', 'on'] } as const;

/** How people sign in with their programs. */
export const OAUTH_SETTINGS = {
  'oauth.enabled': {
    type: 'string',
    group: 'oauth',
    description:
      'Whether people can connect programs by signing in (OAuth), at /mcp/oauth. on = they can, once PUBLIC_URL begins with ' +
      'https://; off = programs need a key.',
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
} as const satisfies Record<string, SettingDeclaration>;
