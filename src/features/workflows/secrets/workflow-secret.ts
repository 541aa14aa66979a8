/** Names of secrets, as workflows write them in `use.secrets`. */
export const SECRET_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
/** The same in words. */
export const SECRET_NAME_RULE =
  'must be a name such as weather_api: letters, digits, dots, dashes and underscores, the first a letter or a digit, 64 at most';
/** Maximum length of a secret as JSON, in characters. */
export const MAX_SECRET = 16_384;
export const MAX_SECRETS = 500;
/** Maximum number of entries in each list of allowed destinations. */
export const MAX_PLACES = 50;
export const HOST_ENTRY_RULE =
  'must be a host, such as api.example.com, api.example.com:8443, *.example.com for its subdomains, or an IP address, without scheme and path';
/** Names of skills, workflows included, as `call` writes them. */
export const SKILL_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
export const SKILL_NAME_RULE =
  'must be the name of a skill or a workflow: letters, digits, dashes and underscores, the first a letter, 64 at most';

/** A string, or several that belong together, such as `username` and `password`. */
export type SecretValue = string | Record<string, string>;

/** The destinations to which steps of workflows may send a secret. */
export interface SecretLimits {
  /** Hosts to which `call: http` may send it; null = any. */
  hosts: readonly string[] | null;
  /** Skills and workflows that may get it in a call; null = any. */
  skills: readonly string[] | null;
}

/** A secret as lists show it. Its value is never shown. */
export interface WorkflowSecret extends SecretLimits {
  name: string;
  updatedAt: Date;
}

/** A change of a secret. Omitted members stay unchanged; a new secret needs a value, and may be sent anywhere by default. */
export interface SecretChange extends Partial<SecretLimits> {
  value?: unknown;
}
