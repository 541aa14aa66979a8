import { zipOf } from '../support/zip.js';

interface Written {
  /** Paragraphs and tables, as `paragraph` and `table` write them. */
  body: readonly string[];
  /** The title in the document properties; null = no properties. */
  title?: string | null;
  /** Style names by style id; or the complete content of the styles part. */
  styles?: Readonly<Record<string, string>>;
}

const MAIN =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const STYLES = { Title: 'Title', Heading1: 'heading 1', Heading2: 'heading 2' };

/** A Word file, packed like Word does. */
export function wordDocument({ body, title = null, styles = STYLES }: Written): Buffer {
  const properties =
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
    `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`;
  const named = Object.entries(styles).map(
    ([id, name]) =>
      `<w:style w:type="paragraph" w:styleId="${id}">${name.startsWith('<') ? name : `<w:name w:val="${name}"/>`}</w:style>`,
  );
  const level = (depth: number, format: string) => `<w:lvl w:ilvl="${depth}"><w:numFmt w:val="${format}"/></w:lvl>`;
  const lists =
    `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal')}${level(1, 'bullet')}</w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
  const files = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/word/document.xml" ContentType="${TYPE}.document.main+xml"/>` +
      `<Override PartName="/word/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': relations([['officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relations([
      ['styles', 'styles.xml'],
      ['numbering', 'numbering.xml'],
    ]),
    'word/styles.xml': `<w:styles ${MAIN}>${named.join('')}</w:styles>`,
    'word/numbering.xml': `<w:numbering ${MAIN}>${lists}</w:numbering>`,
    'word/document.xml': `<w:document ${MAIN}><w:body>${body.join('')}</w:body></w:document>`,
    ...(title !== null && { 'docProps/core.xml': properties }),
  };
  return zipOf(Object.fromEntries(Object.entries(files).map(([path, xml]) => [path, Buffer.from(xml)])));
}

const relations = (targets: readonly (readonly [string, string])[]): string =>
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  targets.map(([type, to], at) => `<Relationship Id="r${at}" Type="${RELATION}/${type}" Target="${to}"/>`).join('') +
  '</Relationships>';

interface Look {
  style?: string;
  /** In points. */
  size?: number;
  /** The depth in a list; 0 is numbered, 1 is bulleted. */
  list?: number;
}

/** A paragraph with a text or with runs. */
export function paragraph(content: string, { style, size, list }: Look = {}): string {
  const look =
    (style ? `<w:pStyle w:val="${style}"/>` : '') +
    (list === undefined ? '' : `<w:numPr><w:ilvl w:val="${list}"/><w:numId w:val="1"/></w:numPr>`);
  return `<w:p><w:pPr>${look}</w:pPr>${content.startsWith('<') ? content : run(content, size)}</w:p>`;
}

export function run(content: string, size?: number): string {
  const look = size === undefined ? '' : `<w:rPr><w:sz w:val="${size * 2}"/></w:rPr>`;
  return `<w:r>${look}<w:t xml:space="preserve">${content}</w:t></w:r>`;
}

export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join(''));
  return `<w:tbl>${cells.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`;
}
