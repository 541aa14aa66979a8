/** Query parameter with the error of a failed login at a provider. */
const PARAMETER = 'login-error';

/** Messages for failed logins at a provider, by the code of the service. */
const MESSAGES: Readonly<Record<string, string>> = {
  account_disabled: 'Your account is disabled. Ask an administrator to enable it.',
  denied: 'You were not logged in: the login was cancelled, or the provider does not let you use this service.',
  expired: 'This login is over: it takes at most ten minutes, in one browser. Log in again.',
  failed:
    'The provider could not complete the login. Log in again; if it fails again, ask an administrator to look at the log.',
  groups_missing:
    'The provider left out your groups because you are in too many. Ask an administrator to send only those of this service.',
  linked_elsewhere:
    'That person has another account here, so yours was not linked. Remove the link there first, or ask an administrator.',
  misconfigured:
    'The provider does not accept this service: its client ID or secret is wrong. Ask an administrator to check it.',
  no_account: 'You have no account here, and none is made at the first login. Ask an administrator for one.',
  refused: 'The answer of the provider is not valid, so you were not logged in. Log in again.',
  too_many_accounts: 'You have no account yet, and there is no room for another one. Ask an administrator.',
  too_many_attempts: 'Too many failed logins from here. Wait a few minutes and log in again.',
  unknown_provider: 'This way of logging in does not exist any more. Choose another one.',
  unreachable: 'The provider does not answer at the moment. Try again later, or log in another way.',
};

/** Returns the message for a failed login; null when the URL has none. */
export function loginErrorIn(search: string): string | null {
  const code = new URLSearchParams(search).get(PARAMETER);
  if (code === null) return null;
  return (Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : undefined) ?? 'You could not be logged in. Log in again.';
}

/** Returns the path to open after a login: this page, without the error of a failed one. */
export function pathAfterLogin({ pathname, search }: { pathname: string; search: string }): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(PARAMETER);
  return pathname + (parameters.size > 0 ? `?${parameters.toString()}` : '');
}
