export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 200;

/** Returns why a text cannot be the new password of an account; null when it can. */
export function passwordProblem(password: string, name: string): string | null {
  if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD)
    return `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`;
  if (password.toLowerCase().replaceAll(name, '').trim() === '') return 'must not be made of the name of the account';
  if (new Set(password).size < 4) return 'must have at least four different characters';
  return null;
}
