import { secretsNamedIn } from '../secret-names.js';
import { didYouMean } from './suggestion.js';
import { quoted } from './quoting.js';

/** Returns an error about a program's use of secrets; null when there is none. Adds the secrets that it uses to `used`. */
export function secretProblem(
  program: string,
  { mayUseSecrets }: { mayUseSecrets: boolean },
  { secrets: declared, isUncertain }: { secrets: ReadonlySet<string>; isUncertain: boolean },
  used: Set<string>,
): string | null {
  for (const name of secretsNamedIn(program)) {
    if (!mayUseSecrets) {
      return '$secrets can be used only in the arguments (with) of call: http and of skills, and in authentications, so that no secret is stored';
    }
    if (name === null) {
      for (const one of declared) used.add(one);
      continue;
    }
    used.add(name);
    if (!declared.has(name) && !isUncertain) {
      return `the secret ${quoted(name)} is not declared${didYouMean(name, declared, ': add it to use.secrets')}`;
    }
  }
  return null;
}
