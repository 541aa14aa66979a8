import { packageUri } from './package-path.rules.js';
import { type ListedFile, SKILL_FILE } from './package.js';

/** More would only fill the reader's context. */
const MOST_SHOWN = 200;

/** Returns a description on one line. @param most maximum characters */
export function shortDescription(description: string, most: number): string {
  const line = description.replace(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/\s+\S*$/, '') || cut}…`;
}

/** Returns the list of files that follows the instructions of a package, and how to read one; empty without other files. */
export function describeFiles(name: string, files: readonly Pick<ListedFile, 'path' | 'size'>[]): string {
  const others = files.filter(({ path }) => path !== SKILL_FILE);
  if (others.length === 0) return '';
  const shown = others.slice(0, MOST_SHOWN).map(({ path, size }) => `- ${path} (${sizeOf(size)})`);
  const more = others.length > MOST_SHOWN ? [`- and ${others.length - MOST_SHOWN} more`] : [];
  const example = JSON.stringify(others[0]?.path);
  return [
    `Files of the skill ${name}, for when the instructions need one: skill_read { name: "${name}", file: ${example} }, or by its address under skill://${name}/. The service runs none of them.`,
    ...shown,
    ...more,
  ].join('\n');
}

const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 * 1024
      ? `${Math.round(bytes / 1024)} KB`
      : `${Math.round(bytes / 1024 / 1024)} MB`;

const LONGEST_ARGUMENT = 2_000;

/** Returns the text of a prompt: the user's arguments, the instructions, and the files. */
export function promptText(
  { name, files }: { name: string; files: readonly Pick<ListedFile, 'path' | 'size'>[] },
  instructions: string,
  args: Readonly<Record<string, string>>,
): string {
  const given = Object.entries(args).map(([key, value]) => `- ${key}: ${value.slice(0, LONGEST_ARGUMENT)}`);
  return [
    `Use the skill ${name}: follow its instructions.`,
    ...(given.length > 0 ? [`Arguments:\n${given.join('\n')}`] : []),
    instructions.trim(),
    describeFiles(name, files),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns the line about a package in the instructions of the service. */
export const lineOfPackage = ({ name, description }: { name: string; description: string }): string =>
  `- ${name}: ${shortDescription(description, 90)}`;

/** A longer file is read in parts. */
const LONGEST_READ = 100_000;

/** Returns the text of a file for a reader, with a note on the rest of a long one. */
export function readableText(name: string, path: string, content: string): string {
  if (content.length <= LONGEST_READ) return content;
  const rest = `resource_read { uri: "${packageUri(name, path)}", characters: "${LONGEST_READ + 1}-" } reads on`;
  return `${content.slice(0, LONGEST_READ)}\n\n[The first ${LONGEST_READ} of ${content.length} characters: ${rest}.]`;
}

/** Returns the list of skills for the instructions of the service. @param mostBytes maximum UTF-8 bytes */
export function describePackages(
  packages: readonly { name: string; description: string }[],
  mostBytes: number,
): string {
  if (packages.length === 0) return '';
  const count = packages.length === 1 ? 'is 1 skill' : `are ${packages.length} skills`;
  let text = `There ${count} here, the team's instructions for kinds of tasks: find one with skill_find before you begin a task, and get it with skill_read.`;
  if (Buffer.byteLength(text) > mostBytes) return '';
  for (const one of packages) {
    const longer = `${text}\n${lineOfPackage(one)}`;
    if (Buffer.byteLength(longer) > mostBytes) break;
    text = longer;
  }
  return text;
}
