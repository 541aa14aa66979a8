import { htmlToMarkdown, type ImportedBytes, type ImportedDocument, nameOf } from './imported-file.rules.js';
import { firstHeading } from '../../markdown/title.rules.js';

const MAX_TITLE = 300;

/**
 * Converts a PDF or Word file to a document: the title is that of the file, or else its first heading, or else its
 * name. What cannot be read gives the problem.
 */
export async function binaryToDocument({
  path,
  bytes,
}: ImportedBytes): Promise<ImportedDocument | { problem: string }> {
  try {
    const { title, content } = /\.pdf$/i.test(path) ? await pdfText(bytes) : await wordText(bytes);
    if (content === '') return { problem: 'it has no text (perhaps its pages are pictures)' };
    return { title: title || nameOf(path), content, tags: [] };
  } catch (error) {
    return { problem: `it is damaged or protected (${error instanceof Error ? error.message : String(error)})` };
  }
}

interface FileText {
  title: string;
  content: string;
}

// The libraries are large, and most imports need none of them.
async function pdfText(bytes: Uint8Array): Promise<FileText> {
  const { extractText, getDocumentProxy, getMeta } = await import('unpdf');
  const pdf = await getDocumentProxy(bytes);
  const { text: pages } = await extractText(pdf);
  const { info } = await getMeta(pdf);
  const title: unknown = info['Title'];
  const content = pages.map((page) => page.trim()).filter((page) => page !== '');
  return { title: typeof title === 'string' ? title.trim().slice(0, MAX_TITLE) : '', content: content.join('\n\n') };
}

async function wordText(bytes: Uint8Array): Promise<FileText> {
  const { default: mammoth } = await import('mammoth');
  const withoutImages = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage: withoutImages });
  const content = htmlToMarkdown(value.replace(/<img\b[^<>]*>/g, ''));
  return { title: firstHeading(content) ?? '', content };
}
