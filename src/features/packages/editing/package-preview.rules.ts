import type { SizedFile } from '../files/package-check.rules.js';
import {
  describeFiles,
  describePackages,
  lineOfPackage,
  promptText,
  readableText,
} from '../files/package-text.rules.js';
import { SKILL_FILE, type Frontmatter } from '../files/package.js';
import { factsOf, instructionsIn } from '../files/skill-file.rules.js';

/** Bytes of UTF-8 that a token has on average, in English. */
const BYTES_PER_TOKEN = 4;
const MOST_SHOWN = 4_000;

interface PreviewedText {
  /** The first 4,000 characters. */
  text: string;
  characters: number;
  tokens: number;
}

/** A preview of what programs get from a package. */
export interface PackagePreview {
  /** The line in the instructions of the service; `fits` is false when there is no room for it. */
  line: string;
  fits: boolean;
  prompt: PreviewedText & { arguments: { name: string; required: boolean }[] };
  read: PreviewedText;
}

export interface Previewed {
  frontmatter: Frontmatter;
  skillFile: string;
  /** All files, including SKILL.md. */
  files: readonly SizedFile[];
  /** The packages that the instructions list, including this one, most used first. */
  listed: readonly { name: string; description: string }[];
  /** UTF-8 bytes that are reserved for packages in the instructions of the service. */
  room: number;
}

/** Returns the preview for programs that may read all packages; the arguments of the prompt are filled with their names. */
export function previewOf({ frontmatter, skillFile, files, listed, room }: Previewed): PackagePreview {
  const { name } = frontmatter;
  const line = lineOfPackage(frontmatter);
  const declared = factsOf(frontmatter).arguments;
  const given = Object.fromEntries(declared.map((argument) => [argument.name, `<${argument.name}>`]));
  const list = describeFiles(name, files);
  const read = [readableText(name, SKILL_FILE, skillFile), ...(list === '' ? [] : [list])].join('\n\n');
  return {
    line,
    fits: describePackages(listed, room).split('\n').includes(line),
    prompt: { arguments: declared, ...toShown(promptText({ name, files }, instructionsIn(skillFile), given)) },
    read: toShown(read),
  };
}

const toShown = (text: string): PreviewedText => ({
  text: text.slice(0, MOST_SHOWN).replace(/[\uD800-\uDBFF]$/, ''),
  characters: text.length,
  tokens: Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN),
});
