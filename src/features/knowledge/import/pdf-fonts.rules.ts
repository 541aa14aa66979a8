/** Pages whose drawing operators are read for the names of fonts. A page may have many operators. */
const MOST_PAGES = 20;
const BOLD = /bold|black|heavy|demi|[-,]medi(?:um)?\b|\b[ce]mbx|\bsfbx|\bsfsx/i;

/** The parts of a page of the library that are used here. */
interface Page {
  getOperatorList(): Promise<unknown>;
  commonObjs: { has(name: string): boolean; get(name: string): unknown };
}

/** The fonts of a document by their names in its pages. */
export class PdfFonts {
  readonly bold = new Set<string>();
  readonly monospaced = new Set<string>();
  private readonly known = new Set<string>();
  private pages = 0;

  async learn(page: Page, styles: Readonly<Record<string, { fontFamily: string }>>): Promise<void> {
    const fonts = Object.entries(styles).filter(([font]) => !this.known.has(font));
    if (fonts.length === 0) return;
    if (this.pages < MOST_PAGES) await page.getOperatorList();
    this.pages += 1;
    for (const [font, { fontFamily }] of fonts) {
      this.known.add(font);
      if (fontFamily === 'monospace') this.monospaced.add(font);
      if (page.commonObjs.has(font) && BOLD.test(nameOf(page.commonObjs.get(font)))) this.bold.add(font);
    }
  }
}

function nameOf(font: unknown): string {
  const name: unknown = typeof font === 'object' && font !== null && 'name' in font ? font.name : '';
  return typeof name === 'string' ? name : '';
}
