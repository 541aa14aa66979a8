import { normalForm } from '../../platform/text/normal-form.rules.js';

/** Words that mark a value as secret when a name contains them as a word. */
const WORDS = new Set([
  ...['password', 'passwords', 'passwd', 'passphrase', 'passcode', 'pwd', 'secret', 'secrets', 'token', 'credential'],
  ...['credentials', 'authorization', 'cookie', 'cookies', 'jwt', 'bearer', 'otp', 'totp', 'cvv', 'cvc', 'pin'],
  ...['apikey', 'apikeys', 'apitoken', 'authtoken', 'accesstoken', 'refreshtoken', 'privatekey', 'secretkey'],
  ...['accesskey', 'clientsecret', 'sessionid'],
]);
/** Words that make a following `key` or `keys` a credential; a key of a dictionary is no secret. */
const OPENING = new Set([
  ...['api', 'access', 'private', 'secret', 'signing', 'encryption', 'master', 'ssh', 'auth', 'session', 'service'],
  ...['client', 'account', 'admin', 'license', 'webhook', 'deploy', 'shared'],
]);
/** Words that make following `tokens` secrets; other tokens are numbers. */
const GRANTING = new Set(['access', 'refresh', 'auth', 'bearer', 'api', 'id']);

const LONGEST_NAME = 200;
/** Cache of judged names: most calls use the same few. */
const judged = new Map<string, boolean>();
const [MOST_KNOWN, LONGEST_KNOWN] = [5_000, 50];
const BETWEEN_WORDS =
  /[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/**
 * Returns whether a member of this name holds a secret, judged by the words of the name (`apiKey`, `api_key`, `X-Api-Key`);
 * `monkey` and `keyboard` are different words.
 */
export function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const isSecret = isSecretByWords(name);
  if (name.length <= LONGEST_KNOWN && judged.size < MOST_KNOWN) judged.set(name, isSecret);
  return isSecret;
}

function isSecretByWords(name: string): boolean {
  const words = normalForm(name.slice(0, LONGEST_NAME), 'NFKC')
    .split(BETWEEN_WORDS)
    .map((word) => word.toLowerCase());
  return words.some((word, index) => {
    const before = words[index - 1] ?? '';
    if (word === 'key' || word === 'keys') return OPENING.has(before);
    if (word === 'tokens') return GRANTING.has(before);
    if (word === 'id') return before === 'session';
    return WORDS.has(word) || (word === 'auth' && words.length === 1);
  });
}
