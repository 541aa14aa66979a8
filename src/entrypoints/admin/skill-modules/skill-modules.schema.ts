import type { JsonObject } from '#skill-kit';
import type { BrokenFile } from '../../../features/modules/folder/module-folder.service.js';
import {
  MOST_CODE,
  type DeclaredUses,
  type ModuleSource,
  type SettingValue,
} from '../../../features/modules/declared/module.js';
import type { Misfit } from '../../../features/modules/declared/settings.rules.js';
import {
  Amount,
  AnyObject,
  Flag,
  Integer,
  OneOf,
  Parts,
  Text,
  Texts,
  Time,
  Part,
  Value,
} from '../api/fields.decorators.js';

/** Each character may take four bytes, and six as JSON. */
export const MODULE_MAX_BYTES = 6 * MOST_CODE;
const MOST_BASE64 = Math.ceil(MOST_CODE / 3) * 4;
const SOURCES = ['folder', 'upload'];
const SETTING_VALUE = {
  oneOf: [{ type: 'string' as const }, { type: 'number' as const }, { type: 'boolean' as const }],
};

export class ModuleUploadBody {
  @Text({
    min: 1,
    max: 100,
    example: 'weather.ts',
    says: 'Name of the file: .ts, .mts, .js or .mjs, or .zip. Without that, it is the name of the module.',
  })
  file!: string;

  @Text({
    max: MOST_CODE,
    optional: true,
    says: 'The code: an ES module that exports a skill by default, or a list of skills.',
  })
  code?: string;

  @Text({ max: MOST_BASE64, optional: true, says: 'The archive, for a module of several files.' })
  base64?: string;
}

export class ModuleEnabledBody {
  @Flag() enabled!: boolean;
}

export class ModuleApprovalBody {
  @Integer({ min: 1, max: 1_000_000_000, says: 'Number of the reviewed version: the newest one.' })
  version!: number;

  @Text({ min: 1, max: 100, example: 'sha256:9f86d0…', says: 'The `digest` of that version.' })
  digest!: string;
}

class ModuleUsesView implements DeclaredUses {
  @Texts({ says: 'Hosts that it may send requests to.' }) hosts!: string[];
  @Texts({ says: 'Skills that it may call, in the name of its caller.' }) skills!: string[];
  @Texts({ says: 'Secrets that it may send to these hosts, as far as the secrets allow it.' }) secrets!: string[];
  @Texts({ says: 'Secrets that are URLs of PostgreSQL databases, from which it may read.' }) databases!: string[];
  @Flag({ says: 'Whether it keeps a value between calls.' }) state!: boolean;
}

class ModuleSkillView {
  @Text() name!: string;
  @Text({ nullable: true }) title!: string | null;
  @Text() description!: string;
  @AnyObject({ says: 'JSON Schema of its arguments.' }) input!: JsonObject;
  @Part(ModuleUsesView) uses!: DeclaredUses;
}

export class ModuleFileView {
  @Text({ example: 'weather/index.ts' }) path!: string;
  @Text() code!: string;
}

class ModuleFacts {
  @Text() name!: string;
  @Text({ example: 'weather.ts' }) file!: string;
  @OneOf(SOURCES, { says: 'Where it comes from: a file in SKILLS_DIR, or an upload.' }) source!: ModuleSource;
  @Amount({ says: 'Number of the newest version.' }) version!: number;
  @Text({ says: 'Digest of the files of the newest version.' }) digest!: string;
  @Amount({ nullable: true, says: 'Number of the version that clients get; null = none.' }) offered!: number | null;
  @Flag({ says: 'Whether the newest version waits for approval.' }) isWaiting!: boolean;
  @Flag() enabled!: boolean;
  @Texts({ says: 'Names of its skills.' }) skillNames!: string[];
  @Texts({ says: 'What is wrong: why the service disabled it, or why clients do not get a skill of it.' })
  problems!: string[];
  @Time() updatedAt!: Date;
  @Text({ nullable: true, says: 'Administrator who changed it; null = its file changed.' }) updatedBy!: string | null;
}

export class ModuleView extends ModuleFacts {}

class BrokenFileView implements BrokenFile {
  @Text({ says: 'File in SKILLS_DIR.' }) file!: string;
  @Text({ says: 'Name of its module.' }) name!: string;
  @Texts() problems!: string[];
}

export class ModuleListView {
  @Parts(ModuleView) items!: ModuleView[];
  @Parts(BrokenFileView, { says: 'Files with mistakes. Their modules are unchanged.' }) brokenFiles!: BrokenFile[];
}

export class ModuleVersionView {
  @Amount() version!: number;
  @Text() digest!: string;
  @Time() savedAt!: Date;
  @Text({ nullable: true }) savedBy!: string | null;
}

export class FullModuleView extends ModuleFacts {
  @Flag({ says: 'Whether its file is in SKILLS_DIR, so that it can be removed only there.' }) isInFolder!: boolean;
  @Parts(ModuleSkillView, { says: 'What the newest version declares.' }) skills!: ModuleSkillView[];
  @Part(ModuleUsesView, { says: 'What the newest version uses, all its skills together.' }) uses!: DeclaredUses;
  @Parts(ModuleFileView, { says: 'Files of the newest version.' }) files!: ModuleFileView[];
  @Parts(ModuleVersionView, { says: 'Versions that are kept, the last saved first.' }) versions!: ModuleVersionView[];
}

export class ModuleCodeView {
  @Parts(ModuleFileView) files!: ModuleFileView[];
}

export class ModuleSettingsBody {
  @AnyObject({
    says: 'Values by the names of settings: texts, numbers, true and false. What is left out has its default.',
  })
  values!: JsonObject;
}

class ModuleMisfitView implements Misfit {
  @Text({ says: 'Name of the setting.' }) name!: string;
  @Value(SETTING_VALUE) value!: SettingValue;
  @Text({ says: 'What it must be.' }) problem!: string;
}

export class ModuleSettingsView {
  @AnyObject({ says: 'JSON Schema of the values, with defaults: what the newest version declares.' })
  schema!: JsonObject;
  @AnyObject({ says: 'The set values that match the declaration.' }) values!: Readonly<Record<string, SettingValue>>;
  @Parts(ModuleMisfitView, { says: 'The set values that no longer match the declaration: the defaults apply instead.' })
  misfits!: Misfit[];
  @Amount({ says: 'Version, incremented with each change; 0 = nothing was set. For the header If-Match.' })
  version!: number;
}

export class SampleModuleView {
  @Text() name!: string;
  @Text({ example: 'calculate.ts' }) file!: string;
  @Parts(ModuleSkillView) skills!: ModuleSkillView[];
  @Part(ModuleUsesView, { says: 'What it uses, all its skills together.' }) uses!: DeclaredUses;
  @Texts({ says: 'Names of its settings.' }) settings!: string[];
  @Flag({ says: 'Whether a skill module of this name exists, from any source.' }) isThere!: boolean;
}

export class SampleModuleListView {
  @Parts(SampleModuleView) items!: SampleModuleView[];
}
