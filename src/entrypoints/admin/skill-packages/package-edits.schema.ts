import { MOST_BYTES, MOST_FILES } from '../../../features/packages/files/package.js';
import { Amount, Flag, Integer, OneOf, Part, Parts, Text } from '../api/fields.decorators.js';
import { PackageProblemView, UPLOAD_MAX_BYTES } from './skill-packages.schema.js';

/** A draft consists of SKILL.md and the names of the other files. */
export const DRAFT_MAX_BYTES = 4 * 1024 * 1024;
/** More than the 256 KB allowed for a SKILL.md. */
const LONGEST_DRAFT = 500_000;
const LONGEST_PATH = 1_000;
const CONTENTS = ['text', 'base64', 'digest'];

class DraftFileBody {
  @Text({ max: LONGEST_PATH, example: 'references/GUIDE.md', says: 'Path of the file in the package.' }) path!: string;
  @Integer({ min: 0, max: 2 * MOST_BYTES, says: 'In bytes.' }) size!: number;
}

export class PackageDraftBody {
  @Text({ optional: true, nullable: true, max: 64, says: 'Name of the package that is edited; null = it is new.' })
  name?: string | null;
  @Text({ max: LONGEST_DRAFT, says: 'Text of SKILL.md.' }) skillFile!: string;
  @Parts(DraftFileBody, { most: 2 * MOST_FILES, says: 'The other files.' }) files!: DraftFileBody[];
}

export class PreviewedTextView {
  @Text({ says: 'The first 4,000 characters.' }) text!: string;
  @Amount({ says: 'Number of characters of the whole text.' }) characters!: number;
  @Amount({ says: 'Approximate number of tokens: one per four bytes.' }) tokens!: number;
}

export class PreviewedArgumentView {
  @Text() name!: string;
  @Flag() required!: boolean;
}

export class PreviewedPromptView extends PreviewedTextView {
  @Parts(PreviewedArgumentView) arguments!: PreviewedArgumentView[];
}

export class PackagePreviewView {
  @Text({ says: 'Line about the package in the instructions of the service.' }) line!: string;
  @Flag({ says: 'Whether there is room for the line, for a client that may read all packages.' }) fits!: boolean;
  @Part(PreviewedPromptView, { says: 'What its prompt gives.' }) prompt!: PreviewedPromptView;
  @Part(PreviewedTextView, { says: 'What `skill_read` returns.' }) read!: PreviewedTextView;
}

export class DraftReportView {
  @Text({ nullable: true, says: 'Name that SKILL.md gives; null = none.' }) name!: string | null;
  @Parts(PackageProblemView) problems!: PackageProblemView[];
  @Part(PackagePreviewView, { nullable: true, says: 'What programs would get; null = there are errors.' })
  preview!: PackagePreviewView | null;
}

export class WrittenFileBody {
  @Text({ max: LONGEST_PATH, example: 'references/GUIDE.md', says: 'Path of the file in the package.' }) path!: string;
  @OneOf(CONTENTS, { says: 'What `content` is: the text of the file, its bytes, or the digest of one that is kept.' })
  kind!: 'text' | 'base64' | 'digest';
  @Text({ max: UPLOAD_MAX_BYTES, says: 'With `digest`: the digest of a file in a stored version of the package.' })
  content!: string;
}

export class WrittenPackageBody {
  @Parts(WrittenFileBody, { least: 1, most: MOST_FILES, says: 'All files, including SKILL.md.' })
  files!: WrittenFileBody[];
}
