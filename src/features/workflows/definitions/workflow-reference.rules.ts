export interface ReferencePart {
  title: string;
  /** Markdown. */
  text: string;
}

interface Sample {
  file: string;
  text: string;
}

const REFERENCE = 'workflow://reference';
const SAMPLES = 'samples';
/** What a first workflow needs is in the first part. */
const IN_FIRST_PART = ['the-first-workflow', 'what-of-the-dsl-works'];
const LINK_TO_SECTION = /\]\(#([a-z-]+)\)/g;
const LINK_TO_SAMPLES = /\]\([^)]*workflows\/samples\)/g;

/** Cuts the manual of workflows into parts by its sections, whose links name the URIs of the others. */
export function partsOf(manual: string, samples: readonly Sample[]): ReadonlyMap<string, ReferencePart> {
  const [intro = '', ...sections] = linked(manual).split(/^(?=## )/m);
  const named = sections.map((text) => ({ name: nameOf(text), title: titleOf(text), text }));
  const first = named.filter(({ name }) => IN_FIRST_PART.includes(name)).map(({ text }) => text);
  const begun = { title: 'How to write workflows', text: [intro, ...first].join('') };
  return new Map<string, ReferencePart>([
    ['', begun],
    ...named.map(({ name, ...part }) => [name, part] as const),
    [SAMPLES, { title: 'Sample workflows', text: samples.map(inMarkdown).join('\n') }],
  ]);
}

const linked = (manual: string): string =>
  manual
    .replace(LINK_TO_SECTION, (_link, name: string) => `](${REFERENCE}/${name})`)
    .replace(LINK_TO_SAMPLES, `](${REFERENCE}/${SAMPLES})`);

const titleOf = (section: string): string => /^## (.*)/.exec(section)?.[1] ?? '';

/** The name of a section in links, as GitHub makes it. */
const nameOf = (section: string): string =>
  titleOf(section)
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replaceAll(' ', '-');

const inMarkdown = ({ file, text }: Sample): string => `## ${file}\n\n\`\`\`yaml\n${text}\`\`\`\n`;
