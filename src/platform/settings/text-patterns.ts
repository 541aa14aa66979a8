// Patterns of texts that several settings share.

export const ON_OFF = { pattern: /^(off|on)$/, patternMeaning: 'off or on', choices: ['off', 'on'] } as const;

/** The URL of an API, which may be followed by the path of a request. */
export const API_URL = {
  pattern: /^(https?:\/\/[^\s/?#@\\]{1,255}(\/[^\s?#]{0,1750})?)?$/i,
  patternMeaning: 'an http:// or https:// URL without user name, password and query, or empty',
} as const;

/** A Bearer key. */
export const API_KEY = {
  pattern: /^[!-~]{1,4096}$/,
  patternMeaning: '1 to 4096 visible ASCII characters without spaces',
} as const;
