interface Declared {
  readonly group: string;
  readonly description: string;
}

interface IntegerSetting extends Declared {
  readonly type: 'integer';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly unit?: string;
}

export interface TextRule {
  /** The pattern that a text must match, and its meaning in words, to follow "must be". */
  readonly pattern: RegExp;
  readonly patternMeaning: string;
  /** Returns whether a text that matches the pattern is valid. Absent = all are. */
  readonly isValid?: (text: string) => boolean;
}

interface StringSetting extends Declared, TextRule {
  readonly type: 'string';
  readonly default: string;
  /** All matching values. Absent = too many. */
  readonly choices?: readonly string[];
}

/** A list of texts. The rule applies to each of them. */
interface StringListSetting extends Declared, TextRule {
  readonly type: 'string_list';
  readonly default: readonly string[];
}

/** A text that is stored as a hash, so that it can be verified but never read again. */
interface SecretSetting extends Declared, TextRule {
  readonly type: 'secret';
  readonly default: null;
  /** Shorter secrets can be guessed. They are rejected; one from the environment is accepted with a warning. */
  readonly minimumLength: number;
}

/** A text that is stored encrypted and presented to the server that it was entered for. It is never shown. */
interface CredentialSetting extends Declared, TextRule {
  readonly type: 'credential';
  readonly default: null;
  /** The setting that holds the URL of the server. */
  readonly for: string;
}

export type SettingDeclaration = IntegerSetting | StringSetting | StringListSetting | SecretSetting | CredentialSetting;
