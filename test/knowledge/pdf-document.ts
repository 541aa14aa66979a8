interface Written {
  /** The title in the document properties; null = none. */
  title?: string | null;
  pages: readonly (readonly PdfLine[])[];
}

interface PdfLine {
  text: string;
  /** Default: plain. */
  font?: keyof typeof FONTS;
  /** In points; default: 12. */
  size?: number;
  /** From the left edge, in points; default: 50. */
  x?: number;
  /** From the lower edge, in points; default: below the previous line. */
  y?: number;
}

// Widths differ in the table, but not for the characters in use.
const VARIED = '/W [1 [500 700]]';
/** Fonts: names in the page, and descriptors. */
const FONTS = {
  plain: { name: 'F', base: 'F', flags: 4, widths: VARIED },
  bold: { name: 'B', base: 'F-Bold', flags: 4, widths: VARIED },
  code: { name: 'M', base: 'M', flags: 5, widths: '' },
};
const FIRST_FONT = 5;
const FIRST_PAGE = FIRST_FONT + 3 * Object.keys(FONTS).length;

/** A PDF file in any language, without embedded glyphs, which only rendering needs. */
export function pdfDocument({ title = null, pages }: Written): Buffer {
  const fonts = Object.values(FONTS);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, page) => `${FIRST_PAGE + 2 * page} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    stream(TO_UNICODE),
    title === null ? '<< >>' : `<< /Title <feff${hexOf(title)}> >>`,
    ...fonts.flatMap(fontObjects),
    ...pages.flatMap((lines, page) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${FIRST_PAGE + 1 + 2 * page} 0 R ` +
        `/Resources << /Font << ${fonts.map(({ name }, index) => `/${name} ${FIRST_FONT + 3 * index} 0 R`).join(' ')} >> >> >>`,
      stream(drawn(lines)),
    ]),
  ];
  let file = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + trailer, 'latin1');
}

function fontObjects({ base, flags, widths }: (typeof FONTS)[keyof typeof FONTS], index: number): string[] {
  const first = FIRST_FONT + 3 * index;
  return [
    `<< /Type /Font /Subtype /Type0 /BaseFont /${base} /Encoding /Identity-H /DescendantFonts [${first + 1} 0 R] /ToUnicode 3 0 R >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${base} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) ` +
      `/Supplement 0 >> /DW 600 ${widths} /FontDescriptor ${first + 2} 0 R >>`,
    `<< /Type /FontDescriptor /FontName /${base} /Flags ${flags} /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 ` +
      '/Descent -200 /CapHeight 700 /StemV 80 >>',
  ];
}

/** Maps each code to the character with the same number. */
const TO_UNICODE = [
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /F def /CMapType 2 def',
  '1 begincodespacerange <0000> <ffff> endcodespacerange',
  ...[0, 100, 200].map((from) => ranges(from, Math.min(from + 100, 256))),
  'endcmap end end',
].join('\n');

function ranges(from: number, to: number): string {
  const rows = Array.from({ length: to - from }, (_, index) => {
    const high = (from + index).toString(16).padStart(2, '0');
    return `<${high}00> <${high}ff> <${high}00>`;
  });
  return `${rows.length} beginbfrange\n${rows.join('\n')}\nendbfrange`;
}

function drawn(lines: readonly PdfLine[]): string {
  let below = 760;
  return lines
    .map(({ text, font = 'plain', size = 12, x = 50, y = below - size * 1.5 }) => {
      below = y;
      return `BT /${FONTS[font].name} ${size} Tf 1 0 0 1 ${x} ${y} Tm <${hexOf(text)}> Tj ET`;
    })
    .join('\n');
}

const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

const hexOf = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
