// Reads a web page as Markdown, without navigation, headers and footers. List the permitted sites in HOSTS.
import { failure, skill } from 'agent-service/skill';

const HOSTS = ['en.wikipedia.org', 'developer.mozilla.org', 'nodejs.org'];
const LONGEST = 100_000;
/** Number of characters of HTML to read; the rest is ignored. */
const MOST_READ = 1_000_000;

/** Elements to omit: their content is not text, or not part of the main text. */
const LEFT_OUT = new Set(
  'script style noscript template svg nav header footer aside form iframe select button'.split(' '),
);
const BLOCKS = new Set(
  'p div section article main ul ol table tr figure dl dt dd h1 h2 h3 h4 h5 h6 pre blockquote li br hr'.split(' '),
);
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const ENTITIES: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…', copy: '©' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', middot: '·', bull: '•', times: '×' },
};
/** A comment, a doctype, a tag with its attributes, or text up to the next `<`; a `<` that begins no tag is text, too. */
const PART = /<!--[^]*?(?:-->|$)|<![^>]*>|<(\/?)([a-zA-Z][a-zA-Z0-9-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>|[^<]+|</g;
/** Elements whose content is not parsed as tags. */
const RAW = /<(script|style|template)\b[^]*?<\/\1\s*>/gi;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );

/** Converts HTML to Markdown in one pass over its tags. */
function markdownOf(html: string, base: string): { title: string; markdown: string } {
  const written: string[] = [];
  const hidden: string[] = []; // the open elements that are omitted
  const links: string[] = [];
  let [title, isTitle, isCode] = ['', false, false];
  const write = (text: string) => hidden.length === 0 && written.push(text);
  const open = (name: string, attributes: string) => {
    if (/^h[1-6]$/.test(name)) write(`\n\n${'#'.repeat(Number(name[1]))} `);
    else if (name === 'li') write('\n- ');
    else if (name === 'pre') write('\n\n```\n');
    else if (name === 'code' && !isCode) write('`');
    else if (name === 'td' || name === 'th') write(' | ');
    else if (name === 'blockquote') write('\n\n> ');
    else if (name === 'br') write('\n');
    else if (name === 'hr') write('\n\n---\n\n');
    else if (BLOCKS.has(name)) write('\n\n');
    if (name === 'a') {
      const [, double, single, bare] = HREF.exec(` ${attributes}`) ?? [];
      const target = URL.parse(decoded(double ?? single ?? bare ?? ''), base);
      const isLink = target !== null && /^https?:$/.test(target.protocol);
      links.push(isLink ? target.href : '');
      if (isLink) write('[');
    }
    if (name === 'pre') isCode = true;
  };
  const close = (name: string) => {
    if (name === 'pre') {
      isCode = false;
      write('\n```\n\n');
    } else if (name === 'code' && !isCode) write('`');
    else if (name === 'a') {
      const target = links.pop();
      if (target) write(`](${target})`);
    } else if (BLOCKS.has(name) && name !== 'li') write('\n\n');
  };
  for (const [all, slash, tag, attributes = ''] of html.replace(RAW, '').matchAll(PART)) {
    const name = tag?.toLowerCase();
    if (name === undefined) {
      if (all.startsWith('<!')) continue;
      if (isTitle) title += decoded(all);
      else write(isCode ? decoded(all) : decoded(all).replace(/\s+/g, ' '));
    } else if (name === 'title') isTitle = slash === '';
    else if (LEFT_OUT.has(name)) {
      if (slash === '') hidden.push(name);
      else if (hidden.includes(name)) hidden.splice(hidden.lastIndexOf(name));
    } else if (slash === '') open(name, attributes);
    else if (!VOID.has(name)) close(name);
  }
  const markdown = written
    .join('')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { title: title.replace(/\s+/g, ' ').trim(), markdown };
}

export default skill<{ url: string; max_characters?: number }>({
  name: 'web_page',
  title: 'Read a web page',
  description: `Use this to read a web page as Markdown, of these sites: ${HOSTS.join(', ')}. Returns its title and text.`,
  input: {
    type: 'object',
    properties: {
      url: {
        type: 'string',
        maxLength: 2_000,
        description: 'Address of the page, such as "https://nodejs.org/en/about".',
      },
      max_characters: {
        type: 'integer',
        minimum: 100,
        maximum: LONGEST,
        default: 20_000,
        description: 'Characters to return at most, for example 5000.',
      },
    },
    required: ['url'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  uses: { hosts: HOSTS },

  async execute({ url, max_characters: most = 20_000 }, context) {
    const response = await context.fetch(url, { signal: context.signal, headers: { accept: 'text/html, text/plain' } });
    if (!response.ok) return failure(`${new URL(url).host} answered ${response.status}: check the address.`);
    const type = response.headers.get('content-type') ?? '';
    if (!/^text\/(?:html|plain|markdown)|xhtml/.test(type))
      return failure(`The page is no text, but ${type || 'of no type'}.`);
    const body = await response.text();
    const { title, markdown } = /html/.test(type)
      ? markdownOf(body.slice(0, MOST_READ), url)
      : { title: '', markdown: body };
    return { title, markdown: markdown.slice(0, most).toWellFormed(), truncated: markdown.length > most };
  },
});
