import { extname } from 'node:path';
import { declaredType, pathsOf } from './archive.rules.js';
import { exportedDocuments, isJson } from './export-file.rules.js';
import { fileText } from './file-text.rules.js';
import { isArchive, isBinaryPath, isPdf, typeOfPath } from './file-type.rules.js';
import { toDocument } from './imported-file.rules.js';
import { partsOf } from './parts.rules.js';
import { pdfText } from './pdf-file.rules.js';
import { type ImportedBytes, type ImportedDocument, nameOf } from './plain-file.rules.js';
import { wordText } from './word-file.rules.js';

/** The result of reading a file: one document, those of an export, or the problem. */
export type ReadFile = { documents: ImportedDocument[] } | { problem: string };

const MAX_TITLE = 300;
/** Characters at the beginning that are inspected to detect the type of a text. */
const SNIFFED = 1_024;

/**
 * Converts a file to documents, by its content, not its name. A PDF, Word or EPUB file without a title is titled by its file
 * name. A file that cannot be read returns the problem.
 */
export async function bytesToDocuments({ path, bytes }: ImportedBytes): Promise<ReadFile> {
  if (bytes.length === 0) return { problem: 'it is empty' };
  try {
    const read = await formatOf(bytes);
    if (!read) return await otherFile({ path, bytes });
    if ('problem' in read) return read;
    const { title, content } = await read.text(bytes);
    if (content === '') return { problem: 'it has no text (perhaps its pages are pictures)' };
    return { documents: partsOf({ title: title.slice(0, MAX_TITLE) || nameOf(path), content, tags: [] }) };
  } catch (error) {
    return { problem: `it is damaged or protected (${error instanceof Error ? error.message : String(error)})` };
  }
}

interface FileText {
  title: string;
  content: string;
}

type Format = { text: (bytes: Uint8Array) => FileText | Promise<FileText> } | { problem: string };

async function formatOf(bytes: Uint8Array): Promise<Format | null> {
  if (isPdf(bytes)) return { text: pdfText };
  if (!isArchive(bytes)) return null;
  const paths = new Set(pathsOf(bytes));
  if (paths.has('word/document.xml')) return { text: wordText };
  if (paths.has('xl/workbook.xml')) return { problem: 'it is an Excel workbook: save its sheets as text' };
  if (paths.has('ppt/presentation.xml')) return { problem: 'it is a PowerPoint presentation: save it as PDF' };
  if (declaredType(bytes) === 'application/epub+zip') return { text: (await import('./book.rules.js')).bookText };
  if (declaredType(bytes).startsWith('application/vnd.oasis.opendocument')) {
    return { problem: 'it is an OpenDocument file: save it as DOCX or PDF' };
  }
  return { problem: 'it is a ZIP archive: unpack it, and import the files in it' };
}

async function otherFile({ path, bytes }: ImportedBytes): Promise<ReadFile> {
  // Try text first, because some types are detected by two letters with which a text may also begin.
  const read = fileText(bytes);
  if ('text' in read) return textToDocuments(path, read.text);
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(bytes);
  return type ? { problem: problemOfType(type) } : read;
}

function problemOfType({ ext, mime }: { ext: string; mime: string }): string {
  if (ext === 'cfb') return 'it is a file of an old Office program: save it as DOCX or PDF';
  return `it is of the type ${ext.toUpperCase()} (${mime}), which has no text that can be read`;
}

function textToDocuments(path: string, text: string): ReadFile {
  if (text.startsWith('{\\rtf')) return { problem: 'it is an RTF file: save it as DOCX or PDF' };
  const extension = extname(path);
  const type = isHtml(text) ? 'html' : extension === '' ? 'markdown' : typeOfPath(path);
  if (type) return { documents: partsOf(toDocument({ path, content: text, type })) };
  if (isBinaryPath(path)) {
    return { problem: `it is damaged or protected (it is not a ${extension.slice(1).toUpperCase()} file)` };
  }
  if (!isJson(text)) {
    return { problem: `files of the type ${extension} are not read: name it .txt if its text is to be a document` };
  }
  const documents = exportedDocuments(text);
  return documents ? { documents } : { problem: 'it is JSON, but no export of a knowledge base' };
}

const isHtml = (text: string): boolean =>
  /^\ufeff?\s*(?:<\?xml[^<>]*>\s*)?(?:<!--[^<>]*-->\s*)?<(?:!doctype html|html)[\s>]/i.test(text.slice(0, SNIFFED));
