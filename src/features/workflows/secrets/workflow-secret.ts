/** Names of secrets, as workflows write them in `use.secrets`. */
export const SECRET_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
/** The same in words. */
export const SECRET_NAME_RULE =
  'must be a name such as weather_api: letters, digits, dots, dashes and underscores, the first a letter or a digit, 64 at most';
/** Characters of a secret, as JSON. */
export const MAX_SECRET = 16_384;
export const MAX_SECRETS = 500;

/** A text, or several that belong together, such as `username` and `password`. */
export type SecretValue = string | Record<string, string>;

/** A secret as lists show it. Its value is never shown. */
export interface WorkflowSecret {
  name: string;
  updatedAt: Date;
}
