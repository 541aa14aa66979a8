import * as address from '../../src/features/knowledge/documents/address.rules.js';
import * as document from '../../src/features/knowledge/documents/document.rules.js';
import * as edit from '../../src/features/knowledge/documents/edit.rules.js';
import * as fileText from '../../src/features/knowledge/import/file-text.rules.js';
import * as exportFile from '../../src/features/knowledge/import/export-file.rules.js';
import * as fileType from '../../src/features/knowledge/import/file-type.rules.js';
import * as htmlPage from '../../src/features/knowledge/import/html-page.rules.js';
import * as pdfBlocks from '../../src/features/knowledge/import/pdf-blocks.rules.js';
import * as pdfHeadings from '../../src/features/knowledge/import/pdf-headings.rules.js';
import * as pdfLines from '../../src/features/knowledge/import/pdf-lines.rules.js';
import * as pdfRunning from '../../src/features/knowledge/import/pdf-running.rules.js';
import * as pdfTables from '../../src/features/knowledge/import/pdf-tables.rules.js';
import * as wordFormulas from '../../src/features/knowledge/import/word-formulas.rules.js';
import * as raised from '../../src/features/knowledge/import/raised.rules.js';
import * as asciidoc from '../../src/features/knowledge/import/asciidoc.rules.js';
import * as output from '../../src/features/knowledge/import/markdown-output.rules.js';
import * as restructured from '../../src/features/knowledge/import/restructured-text.rules.js';
import * as plainFile from '../../src/features/knowledge/import/plain-file.rules.js';
import * as source from '../../src/features/knowledge/import/source.rules.js';
import type { KnowledgeHit } from '../../src/features/knowledge/documents/document.js';
import * as knowledgeResult from '../../src/features/knowledge/search-result.rules.js';
import * as cuts from '../../src/features/knowledge/passages/cuts.rules.js';
import * as documentSections from '../../src/features/knowledge/passages/document-sections.rules.js';
import * as markdown from '../../src/platform/markdown/blocks.rules.js';
import * as inline from '../../src/platform/markdown/inline-text.rules.js';
import * as sections from '../../src/platform/markdown/sections.rules.js';
import * as plainText from '../../src/platform/markdown/plain-text.rules.js';
import * as title from '../../src/platform/markdown/title.rules.js';
import type { MemoryHit } from '../../src/features/memory/memory-entry.js';
import * as memoryResult from '../../src/features/memory/search-result.rules.js';
import * as textPart from '../../src/core/resources/text-part.rules.js';
import * as difference from '../../src/features/knowledge/passages/passage-difference.rules.js';
import * as passages from '../../src/features/knowledge/passages/passages.rules.js';
import * as memory from '../../src/features/memory/memory.rules.js';
import * as excerpt from '../../src/platform/text/excerpt.rules.js';
import { type Entry, NOT_TEXT, OURS } from './entry.js';
import { parts } from './samples.js';

const anyWord = (word: string): boolean => word.length % 2 === 1;

// The cost of these libraries is not ours: test/threads shows that a thread ends at its limit, and that nobody waits for it.
const FILE_THREAD =
  'sanitize-html, turndown and yaml have no bounds: only the thread of ImportedFileReader runs them on files';
const MANY_MATCHES = Array.from({ length: 1_000 }, (_, index) => ({ start: index * 900, end: index * 900 + 700 }));
const AT = new Date(0);

const knowledgeHit = (text: string): KnowledgeHit => ({
  document: { id: 'a', title: text, tags: [text], source: null, path: null, version: 1, createdAt: AT, updatedAt: AT },
  passage: { position: 0, headings: [text], content: text, start: 0, lead: text },
  neighbours: { previous: [text], next: null },
  matches: MANY_MATCHES,
  match: 'all',
  also: null,
});
const memoryHit = (text: string): MemoryHit => ({
  entry: {
    ...{
      namespace: 'a',
      key: 'b',
      content: text,
      tags: [text],
      importance: 3,
      client: text,
      program: text,
      version: 1,
    },
    ...{ createdAt: AT, updatedAt: AT, expiresAt: null },
  },
  matches: MANY_MATCHES,
  score: 1,
});

/** The texts of a page, below each other, or in rows of several columns. */
const pdfItems = (text: string, columns: number) =>
  parts(text, 40).map((str, at) => {
    const place = [50 + 300 * (at % columns), 100_000 - 12 * Math.floor(at / columns)];
    const hasEOL = at % columns === columns - 1;
    return { str, transform: [1, 0, 0, at % 7 === 0 ? 14 : 10, ...place], width: 120, hasEOL, fontName: `f${at % 3}` };
  });
const pdfPage = (text: string, columns = 1) => pdfLines.linesOf(pdfItems(text, columns), new Set(['f1']));
const pdfLook = (lines: readonly pdfLines.PdfLine[]) => ({
  ...pdfHeadings.headingsIn([lines]),
  monospaced: new Set(['f2']),
  top: 1,
});

const WHOLE_CHANGE = { does: 'it changes the whole document', forPassage: 'Change it elsewhere' };

/** The rules for texts of the knowledge base, memory, and reading in parts. */
export const KNOWLEDGE_RULES: Record<string, Record<string, Entry>> = {
  'src/platform/text/excerpt.rules.ts': {
    matchesIn: [
      (text) => excerpt.matchesIn(text, anyWord),
      (text) => excerpt.matchesIn(text, () => true),
      (text) => excerpt.matchesIn(text, () => false),
    ],
    bestPart: [
      (text) => excerpt.bestPart(text, [], 1_500),
      (text) => excerpt.bestPart(text, [{ start: text.length - 1, end: text.length }], 20_000),
      (text) => excerpt.bestPart(text, MANY_MATCHES, 20_000),
    ],
  },
  'src/features/knowledge/documents/address.rules.ts': {
    documentAddress: [
      (text) => address.documentAddress(text),
      (text) => address.documentAddress(document.URI_PREFIX + text),
      (text) => address.documentAddress(`a${text}`),
    ],
    assertWhole: (text) =>
      address.assertWhole({ written: text, id: text.toWellFormed(), part: 'whole', passage: null }, WHOLE_CHANGE),
  },
  'src/platform/text/spread.rules.ts': {
    levelLabel: 'takes a number',
    levelLabels: 'takes a number',
    levelFor: 'takes numbers',
    betterLevel: 'takes numbers',
  },
  'src/features/knowledge/documents/document.rules.ts': {
    documentUri: (text) => document.documentUri(text.toWellFormed()),
    passageUri: (text) => document.passageUri(text.toWellFormed(), 1),
    versionUri: (text) => document.versionUri(text.toWellFormed(), 1),
    newDocumentId: 'takes nothing',
    slugOf: (text) => document.slugOf(text),
    readableIds: (text) => document.readableIds(text),
    isReserved: (text) => document.isReserved(text),
    normalDocument: (text) => document.normalDocument({ title: text, content: text, tags: [text] }),
  },
  'src/features/knowledge/documents/edit.rules.ts': {
    edited: [
      (text) => edit.edited(text, { passage: null, oldText: text.slice(1), newText: text, append: text }),
      (text) => edit.edited(text, { passage: { content: text, start: 0 }, oldText: null, newText: text, append: null }),
    ],
  },
  'src/features/knowledge/save-result.rules.ts': {
    savedResult: OURS,
  },
  'src/features/knowledge/search-result.rules.ts': {
    toSearchResult: (text) =>
      knowledgeResult.toSearchResult(text, [knowledgeHit(text)], { most: 500, hasMore: true, lacks: new Set() }),
    describeResult: (text) =>
      knowledgeResult.describeResult(
        knowledgeResult.toSearchResult(text, [knowledgeHit(text)], { most: 2_000, hasMore: true, lacks: new Set() }),
      ),
  },
  'src/features/knowledge/passages/found-passages.rules.ts': { rankDocuments: 'takes at most 1,400 passages' },
  'src/features/knowledge/passages/hollow.rules.ts': { isHollow: 'takes passages of at most 1,500 characters' },
  'src/features/knowledge/passages/cuts.rules.ts': {
    linedOf: (text) => cuts.linedOf(text, text.split('\n')),
    cutsOf: (text) => {
      const { lines, blocks } = markdown.blocksOf(text);
      return cuts.cutsOf(cuts.linedOf(text, lines), blocks);
    },
    spanOf: (text) => {
      const lined = cuts.linedOf(text, text.split('\n'));
      return cuts.spanOf(lined, 0, lined.lines.length);
    },
  },
  'src/features/knowledge/passages/document-sections.rules.ts': {
    documentSectionsOf: (text) => {
      const { lines, blocks } = markdown.blocksOf(text);
      return documentSections.documentSectionsOf(blocks, cuts.linedOf(text, lines));
    },
  },
  'src/platform/markdown/blocks.rules.ts': {
    blocksOf: [
      (text) => markdown.blocksOf(text),
      (text) => markdown.blocksOf(`---\na: b\n${text}`),
      (text) => markdown.blocksOf(`|a|b|\n|-|-|\n${text}`),
    ],
    paragraphsOf: (text) => markdown.paragraphsOf(text),
  },
  'src/platform/markdown/inline-text.rules.ts': { inlineText: (text) => inline.inlineText(text) },
  'src/platform/markdown/sections.rules.ts': {
    findSection: [
      (text) => sections.findSection({ document: text, wanted: 'b' }),
      (text) => sections.findSection({ document: '# A\n\n## B', wanted: text }),
    ],
  },
  'src/platform/markdown/plain-text.rules.ts': {
    plainText: ['', '[', '[a](', '[a [b', '<!--', '<a ', '|', '](', '[a]: '].map(
      (start) => (text) => plainText.plainText(start + text),
    ),
  },
  'src/platform/markdown/title.rules.ts': {
    openingHeadings: [
      (text) => title.openingHeadings(text),
      (text) => title.openingHeadings(`<h1>${text}`),
      (text) => title.openingHeadings(`<h1>a</h1>\n\n# ${text}`),
    ],
    firstHeading: [
      (text) => title.firstHeading(text),
      (text) => title.firstHeading(`<h1>${text}`),
      (text) => title.firstHeading(`### ${text}`),
    ],
  },
  'src/features/memory/save-result.rules.ts': {
    toSavedResult: OURS,
  },
  'src/features/memory/search-result.rules.ts': {
    toSearchResult: (text) =>
      memoryResult.toSearchResult(text, [memoryHit(text)], { most: 500, hasMore: true, lacks: new Set() }),
    describeResult: (text) =>
      memoryResult.describeResult(
        memoryResult.toSearchResult(text, [memoryHit(text)], { most: 20_000, hasMore: true, lacks: new Set() }),
      ),
  },
  'src/core/resources/text-part.rules.ts': {
    parseRange: (text) => textPart.parseRange(text),
    linesOf: [
      (text) => textPart.linesOf(text, { from: 2, to: Infinity }),
      (text) => textPart.linesOf(text, { from: 1, to: 1 }),
    ],
    charactersOf: (text) => textPart.charactersOf(text, { from: 2, to: Infinity }),
  },
  'src/features/knowledge/import/file-content.rules.ts': {
    bytesToDocuments: FILE_THREAD,
  },
  'src/features/knowledge/import/file-type.rules.ts': {
    typeOfPath: (text) => fileType.typeOfPath(text),
    isBinaryPath: (text) => fileType.isBinaryPath(text),
    isPdf: (text) => fileType.isPdf(Buffer.from(text)),
    isArchive: (text) => fileType.isArchive(Buffer.from(text)),
    needsLibrary: (text) => fileType.needsLibrary(Buffer.from(text)),
  },
  'src/features/knowledge/import/archive.rules.ts': {
    pathsOf: FILE_THREAD,
    unpacked: FILE_THREAD,
    packed: FILE_THREAD,
    declaredType: FILE_THREAD,
  },
  'src/features/knowledge/import/book.rules.ts': { bookText: FILE_THREAD },
  'src/features/knowledge/import/pdf-fonts.rules.ts': { PdfFonts: 'takes the names of fonts' },
  'src/features/knowledge/import/pdf-lines.rules.ts': {
    linesOf: [(text) => pdfPage(text), (text) => pdfPage(text, 2)],
    weighed: (text) => pdfLines.weighed(pdfPage(text), ({ base }) => base),
  },
  'src/features/knowledge/import/pdf-headings.rules.ts': {
    headingsIn: (text) => pdfHeadings.headingsIn(pdfPage(text).map((line) => [line])),
    isTableOfContents: (text) => pdfHeadings.isTableOfContents(pdfPage(text)),
    levelOf: (text) => {
      const lines = pdfPage(text);
      const look = pdfLook(lines);
      return lines.map((line) => pdfHeadings.levelOf(line, look, false));
    },
  },
  'src/features/knowledge/import/pdf-running.rules.ts': {
    withoutRunningLines: [
      (text) => pdfRunning.withoutRunningLines([{ lines: pdfPage(text), height: 800 }], 10),
      (text) =>
        pdfRunning.withoutRunningLines(
          pdfPage(text).map((line) => ({ lines: [{ ...line, base: 790 }], height: 800 })),
          10,
        ),
    ],
  },
  'src/features/knowledge/import/pdf-tables.rules.ts': {
    tableRows: [(text) => pdfTables.tableRows(pdfPage(text, 2)), (text) => pdfTables.tableRows(pdfPage(text, 3))],
  },
  'src/features/knowledge/import/pdf-blocks.rules.ts': {
    pageMarkdown: [1, 2, 3].map((columns) => (text) => {
      const lines = pdfPage(text, columns);
      return pdfBlocks.pageMarkdown(lines, pdfLook(lines));
    }),
  },
  'src/features/knowledge/import/raised.rules.ts': {
    raised: (text) => raised.raised(text),
    lowered: (text) => raised.lowered(text),
  },
  'src/features/knowledge/import/pdf-file.rules.ts': { pdfText: FILE_THREAD },
  'src/features/knowledge/import/word-formulas.rules.ts': {
    withoutFormulas: [
      (text) => wordFormulas.withoutFormulas(text),
      (text) =>
        wordFormulas.withoutFormulas(
          parts(text, 50)
            .map((part) => `<m:oMath>${part}</m:oMath>`)
            .join(''),
        ),
    ],
    withFormulas: (text) => wordFormulas.withFormulas(text, ['x']),
  },
  'src/features/knowledge/import/word-styles.rules.ts': { headingStyles: FILE_THREAD },
  'src/features/knowledge/import/word-file.rules.ts': { wordText: FILE_THREAD },
  'src/features/knowledge/import/table-markup.rules.ts': { keepTables: FILE_THREAD },
  'src/features/knowledge/import/parts.rules.ts': { partsOf: FILE_THREAD },
  'src/features/knowledge/import/html-page.rules.ts': {
    htmlToMarkdown: FILE_THREAD,
    titleOfHtml: [(text) => htmlPage.titleOfHtml(text), (text) => htmlPage.titleOfHtml(`<title>${text}</title>`)],
  },
  'src/features/knowledge/import/html-markup.rules.ts': { keepMarkup: FILE_THREAD, keepNotes: FILE_THREAD },
  'src/features/knowledge/import/code-markup.rules.ts': { keepCode: FILE_THREAD },
  'src/features/knowledge/import/asciidoc.rules.ts': {
    asciidocToMarkdown: (text) => asciidoc.asciidocToMarkdown(text),
  },
  'src/features/knowledge/import/restructured-text.rules.ts': {
    restructuredToMarkdown: (text) => restructured.restructuredToMarkdown(text),
  },
  'src/features/knowledge/import/markdown-output.rules.ts': {
    fenced: (text) => output.fenced(text.split('\n')),
    tableOf: (text) => output.tableOf(text.split('\n').map((line) => line.split('|'))),
    withoutMargin: (text) => output.withoutMargin(text.split('\n')),
    withoutBlankEnds: (text) => output.withoutBlankEnds(text.split('\n')),
    isBlank: (text) => output.isBlank(text),
    indentOf: (text) => output.indentOf(text),
    joined: (text) => output.joined(text.split('\n')),
  },
  'src/features/knowledge/import/export-file.rules.ts': {
    isJson: [(text) => exportFile.isJson(text), (text) => exportFile.isJson(`{${text}`)],
    exportedDocuments: FILE_THREAD,
  },
  'src/features/knowledge/import/file-text.rules.ts': {
    fileText: [
      (text) => fileText.fileText(Buffer.from(text)),
      (text) => fileText.fileText(Buffer.from(text, 'latin1')),
      (text) => fileText.fileText(Buffer.from(text, 'utf16le')),
      (text) => fileText.fileText(Buffer.concat([Buffer.from(`<meta ${text}`), Buffer.from([0xff])])),
    ],
  },
  'src/features/knowledge/import/source.rules.ts': {
    sourceName: [
      (text) => source.sourceName(text.slice(0, 5_000), '/'),
      (text) => source.sourceName(undefined, text.slice(0, 5_000)),
    ],
    documentPath: (text) => source.documentPath(text, text),
    sourceOfPath: (text) => source.sourceOfPath(text),
    isOfSource: (text) => source.isOfSource(text, text),
    partPath: OURS,
    fileOfPart: (text) => source.fileOfPart(text),
  },
  'src/features/knowledge/import/imported-file.rules.ts': { toDocument: FILE_THREAD },
  'src/features/knowledge/import/plain-file.rules.ts': {
    hasFrontMatter: (text) => plainFile.hasFrontMatter(text),
    plainDocument: [
      (text) => plainFile.plainDocument({ path: 'a.md', content: text, type: 'markdown' }),
      (text) => plainFile.plainDocument({ path: 'a.txt', content: text, type: 'text' }),
    ],
    withUnixLines: (text) => plainFile.withUnixLines(text),
    ofMarkdown: (text) => plainFile.ofMarkdown('README.md', text),
    titleFrom: OURS,
    nameOf: (text) => plainFile.nameOf(text.slice(0, 4_000)),
  },
  'src/features/knowledge/passages/passage-difference.rules.ts': {
    placed: OURS,
    toColumns: (text) => difference.toColumns({ headings: [text], content: text, start: 0, lead: text }),
    differenceOf: (text) => {
      const after = parts(text, 100).map((content) => ({ headings: [], content, start: 0, lead: '' }));
      const before = after.map((passage, id) => ({ ...difference.toColumns(passage), id, position: id + 1 }));
      return difference.differenceOf(before, after);
    },
  },
  'src/features/knowledge/passages/passages.rules.ts': {
    labelOfTag: 'takes a tag of at most 64 characters',
    passagesOf: [
      (text) => passages.passagesOf(text),
      (text) => passages.passagesOf(`# ${text}`),
      (text) => passages.passagesOf(`# [${text}\n`.repeat(2)),
    ],
    plainPassagesOf: (text) => passages.plainPassagesOf(text),
    indexedDocumentOf: (text) => passages.indexedDocumentOf({ title: 'a', tags: ['b'], content: text }),
  },
  'src/features/memory/memory.rules.ts': {
    memoryUri: (text) => memory.memoryUri({ namespace: text, key: text }),
    namedEntry: (text) => memory.namedEntry(`memory://${text}`),
    contentHash: (text) => memory.contentHash(text),
    inDays: NOT_TEXT,
    twinAdvice: OURS,
    memoryScore: NOT_TEXT,
    relevancesOf: NOT_TEXT,
    nearnessesOf: NOT_TEXT,
  },
};
