import { Injectable } from '@nestjs/common';
import { SectionFinder } from '../../platform/markdown/section-finder.service.js';
import type { ResourceContent } from './resource-store.js';
import { InvalidPart, PartNotFound } from './resources.errors.js';
import { charactersOf, linesOf, parseRange, type PartRange, type TextPart } from './text-part.rules.js';
import { countOf } from '../../platform/text/count-of.js';

/** The part of a text that a caller requests: at most one of these. */
export interface PartRequest {
  section?: string | undefined;
  passage?: number | undefined;
  lines?: string | undefined;
  characters?: string | undefined;
}

type Part = { section: string } | { lines: PartRange } | { characters: PartRange };

interface ParsedRequest {
  uri: string;
  part: Part | null; // null = the whole content at the URI
}

const MARKDOWN = 'text/markdown';

/** Extracts the requested part of a text. */
@Injectable()
export class ResourcePart {
  constructor(private readonly sections: SectionFinder) {}

  /** @throws InvalidPart */
  parse(uri: string, request: PartRequest): ParsedRequest {
    const [bare = uri] = uri.split('#', 1);
    const given = Object.entries(request).filter(([, value]) => (value ?? null) !== null);
    if (given.length > 1)
      throw new InvalidPart(given.map(([name]) => name).join(', '), 'only one of them can be given');
    if (given.length > 0 && bare !== uri && request.passage === undefined) {
      throw new InvalidPart('uri', `names a passage already: leave out ${uri.slice(bare.length)} to read another part`);
    }
    const { section, passage, lines, characters } = request;
    if (passage !== undefined) return { uri: `${bare}#passage-${passage}`, part: null };
    if (section !== undefined) return { uri, part: { section } };
    if (lines !== undefined) return { uri, part: { lines: rangeOf('lines', lines) } };
    if (characters !== undefined) return { uri, part: { characters: rangeOf('characters', characters) } };
    return { uri, part: null };
  }

  /** Returns the part, followed by a note that describes the whole. @throws PartNotFound, InvalidPart */
  async take(contents: readonly ResourceContent[], part: Part): Promise<ResourceContent[]> {
    const [content] = contents;
    if (!content || !('text' in content)) throw new InvalidPart('uri', 'is no text: read it whole');
    const { text, note } = await this.partOf(content, part);
    return [
      { ...content, text },
      { uri: content.uri, mimeType: 'text/plain', text: `[${note}]` },
    ];
  }

  private async partOf({ text, mimeType, uri }: ResourceContent & { text: string }, part: Part): Promise<TextPart> {
    if ('section' in part) {
      if (mimeType !== MARKDOWN) throw new InvalidPart('section', 'needs a Markdown text: give lines instead');
      return this.section(text, part.section, uri);
    }
    const found = 'lines' in part ? linesOf(text, part.lines) : charactersOf(text, part.characters);
    if (found) return found;
    const has = 'lines' in part ? countOf(text.split('\n').length, 'line') : countOf(text.length, 'character');
    throw new PartNotFound(uri, `it has only ${has}`);
  }

  private async section(document: string, wanted: string, uri: string): Promise<TextPart> {
    const { section, others } = await this.sections.find({ document, wanted });
    if (section) {
      const found = linesOf(document, { from: section.from + 1, to: section.to });
      if (found) return { text: found.text.trimEnd(), note: `Section ${section.path}. ${found.note}` };
    }
    const known =
      others.length === 0 ? 'it has no sections: give lines instead' : `its sections are: ${others.join('; ')}`;
    throw new PartNotFound(uri, `there is no section ${JSON.stringify(wanted)}; ${known}`);
  }
}

function rangeOf(name: string, written: string): PartRange {
  const range = parseRange(written);
  if (!range) throw new InvalidPart(name, `must look like "40-80", not ${JSON.stringify(written)}`);
  return range;
}
