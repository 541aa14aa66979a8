import { XMLParser } from 'fast-xml-parser';

/** A named part of a formula, or a text. */
type Part = Record<string, readonly Part[] | string | undefined>;

/** A document whose formulas are replaced by placeholders, and the formulas as TeX, in order. */
interface Replaced {
  xml: string;
  formulas: string[];
}

const START = '\ue000';
const END = '\ue001';
const OPENING = /<m:oMath(?:\s[^<>]*)?>/g;
const CLOSING = '</m:oMath>';
const ABOUT = /<\/?m:oMathPara(?:\s[^<>]*)?>|<m:oMathParaPr>(?:(?!<\/m:oMathParaPr>)[\s\S]){0,500}<\/m:oMathParaPr>/g;
const DEEPEST = 30;
/** Longer ones are left out: nobody writes them by hand. */
const MAX_FORMULA = 100_000;
const FUNCTIONS = new Set('sin,cos,tan,cot,sec,csc,log,ln,exp,lim,min,max,sup,inf,det,dim,ker,gcd'.split(','));
const LARGE: Readonly<Record<string, string>> = {
  '∑': '\\sum',
  '∏': '\\prod',
  '∫': '\\int',
  '⋃': '\\bigcup',
  '⋂': '\\bigcap',
};
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0302': '\\hat',
  '\u0303': '\\tilde',
  '\u0304': '\\bar',
  '\u20d7': '\\vec',
  '\u0307': '\\dot',
};

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
});

/** Replaces the formulas of a Word document, which its library drops, by placeholders in runs of text. */
export function withoutFormulas(document: string): Replaced {
  const formulas: string[] = [];
  const plain = document.replace(/[\ue000\ue001]/g, '').replace(ABOUT, '');
  let xml = '';
  let from = 0;
  for (const { 0: opening, index } of plain.matchAll(OPENING)) {
    if (index < from) continue;
    const end = plain.indexOf(CLOSING, index);
    if (end < 0) break;
    const inner = plain.slice(index + opening.length, end);
    const sign = `${START}${formulas.push(inner.length > MAX_FORMULA ? '' : texOf(inner)) - 1}${END}`;
    xml += `${plain.slice(from, index)}<w:r><w:t xml:space="preserve">${sign}</w:t></w:r>`;
    from = end + CLOSING.length;
  }
  return { xml: xml + plain.slice(from), formulas };
}

export const withFormulas = (text: string, formulas: readonly string[]): string =>
  text.replace(/\ue000(\d{1,7})\ue001/g, (_, index: string) => {
    const formula = formulas[Number(index)] ?? '';
    return formula === '' ? '' : `$${formula}$`;
  });

function texOf(inner: string): string {
  const [formula] = parsed(`<f>${inner}</f>`);
  return written(childrenOf(formula, 'f'), 0).replace(/\s+/g, ' ').replaceAll('|', '\\vert ').trim();
}

function parsed(xml: string): Part[] {
  try {
    return parser.parse(xml) as Part[];
  } catch {
    return []; // the library that reads the document reports the problem
  }
}

const written = (parts: readonly Part[], depth: number): string => {
  if (depth > DEEPEST) return '';
  return parts
    .map((part) => {
      const name = Object.keys(part).find((key) => key !== ':@') ?? '';
      return partOf(name, childrenOf(part, name), depth + 1, part);
    })
    .join('');
};

function partOf(name: string, children: readonly Part[], depth: number, part: Part): string {
  const of = (child: string) => written(insideOf(children, child), depth);
  switch (name) {
    case '#text':
      return '';
    case 't':
      return textOf(part, name);
    case 'sSup':
      return `${of('e')}^{${of('sup')}}`;
    case 'sSub':
      return `${of('e')}_{${of('sub')}}`;
    case 'sSubSup':
      return `${of('e')}_{${of('sub')}}^{${of('sup')}}`;
    case 'f':
      return `\\frac{${of('num')}}{${of('den')}}`;
    case 'rad':
      return of('deg') === '' ? `\\sqrt{${of('e')}}` : `\\sqrt[${of('deg')}]{${of('e')}}`;
    case 'nary':
      return `${largeSign(children)}${limit('_', of('sub'))}${limit('^', of('sup'))} ${of('e')}`;
    case 'func':
      return `${functionName(of('fName'))} ${of('e')}`;
    case 'limLow':
      return `${functionName(of('e'))}_{${of('lim')}}`;
    case 'limUpp':
      return `${of('e')}^{${of('lim')}}`;
    case 'd':
      return bracketed(children, depth);
    case 'acc':
      return `${ACCENTS[signOf(children, 'accPr', 'chr') ?? '\u0302'] ?? '\\hat'}{${of('e')}}`;
    case 'bar':
      return `\\overline{${of('e')}}`;
    case 'm':
      return `\\begin{matrix} ${children
        .filter((row) => 'mr' in row)
        .map((row) => cellsOf(childrenOf(row, 'mr'), ' & ', depth))
        .join(' \\\\ ')} \\end{matrix}`;
    case 'eqArr':
      return cellsOf(children, ' \\\\ ', depth);
    default:
      return /Pr$/.test(name) ? '' : written(children, depth);
  }
}

const limit = (sign: string, text: string): string => (text === '' ? '' : `${sign}{${text}}`);

const functionName = (name: string): string => (FUNCTIONS.has(name.trim()) ? `\\${name.trim()}` : name);

function largeSign(children: readonly Part[]): string {
  const sign = signOf(children, 'naryPr', 'chr') ?? '∫';
  return LARGE[sign] ?? sign;
}

function bracketed(children: readonly Part[], depth: number): string {
  const [open, close] = [signOf(children, 'dPr', 'begChr') ?? '(', signOf(children, 'dPr', 'endChr') ?? ')'];
  return open + cellsOf(children, ', ', depth) + close;
}

const cellsOf = (children: readonly Part[], separator: string, depth: number): string =>
  children
    .filter((child) => 'e' in child)
    .map((child) => written(childrenOf(child, 'e'), depth))
    .join(separator);

function signOf(children: readonly Part[], about: string, name: string): string | undefined {
  const sign = insideOf(children, about).find((part) => name in part) as { ':@'?: { val?: string } } | undefined;
  return sign?.[':@']?.val;
}

const insideOf = (parts: readonly Part[], name: string): readonly Part[] =>
  childrenOf(
    parts.find((part) => name in part),
    name,
  );

function childrenOf(part: Part | undefined, name: string): readonly Part[] {
  const children = part?.[name];
  return typeof children === 'object' ? children : [];
}

function textOf(part: Part, name: string): string {
  return childrenOf(part, name)
    .map((child) => child['#text'])
    .filter((text) => typeof text === 'string')
    .join('');
}
