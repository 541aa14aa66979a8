import { XMLParser } from 'fast-xml-parser';

interface Style {
  '@styleId'?: string;
  basedOn?: { '@val'?: string };
  pPr?: { outlineLvl?: { '@val'?: string } };
}

/** Maximum length of a chain of styles based on each other. */
const DEEPEST = 20;
const LEVELS = 6;

const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) => name === 'style',
});

/** Mapping of well-known styles of paragraphs and letters: code and quotations. */
export const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  ...['Source Code', 'HTML Preformatted', 'Preformatted Text', 'Code', 'Code Block'].map(
    (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
  ),
  ...['Quote', 'Intense Quote', 'Block Text', 'Quotations'].map(
    (name) => `p[style-name='${name}'] => blockquote > p:fresh`,
  ),
  ...['Verbatim Char', 'HTML Code', 'Source Text'].map((name) => `r[style-name='${name}'] => code`),
];

/** Returns the heading level of styles, 1 to 6, by style id. Custom styles inherit it from the style they are based on. */
export function headingStyles(styles: string): ReadonlyMap<string, number> {
  const parsed = xml.parse(styles) as { styles?: { style?: Style[] } };
  const all = new Map((parsed.styles?.style ?? []).map((style) => [style['@styleId'] ?? '', style]));
  const levels = new Map<string, number>();
  for (const id of all.keys()) {
    const level = levelOf(id, all);
    if (level !== null) levels.set(id, level);
  }
  return levels;
}

function levelOf(id: string, styles: ReadonlyMap<string, Style>): number | null {
  let style = styles.get(id);
  for (let depth = 0; style && depth < DEEPEST; depth += 1) {
    const level = style.pPr?.outlineLvl?.['@val'];
    // Level nine means body text.
    if (level !== undefined) return Number(level) < 9 ? Math.min(LEVELS, Number(level) + 1) : null;
    style = styles.get(style.basedOn?.['@val'] ?? '');
  }
  return null;
}
