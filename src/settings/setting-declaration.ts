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
  /** What a text must match, and how to say so: "must be ...". */
  readonly pattern: RegExp;
  readonly patternMeaning: string;
}

interface StringSetting extends Declared, TextRule {
  readonly type: 'string';
  readonly default: string;
}

/** The rule holds for each entry. */
interface StringListSetting extends Declared, TextRule {
  readonly type: 'string_list';
  readonly default: readonly string[];
}

/** Write-only: stored as a hash, never readable again. */
interface SecretSetting extends Declared, TextRule {
  readonly type: 'secret';
  readonly default: null;
  /** A shorter one can be guessed: it is refused, and only warned of where the environment has it. */
  readonly minimumLength: number;
}

/** Write-only for people: stored encrypted, and presented to the server that it was entered for. */
interface CredentialSetting extends Declared, TextRule {
  readonly type: 'credential';
  readonly default: null;
  /** The setting that holds the URL of the server. */
  readonly for: string;
}

export type SettingDeclaration = IntegerSetting | StringSetting | StringListSetting | SecretSetting | CredentialSetting;
