const TAG = /<!--[^<>]*-->|<\/?[a-z][^<>\n]*>/gi;
/** A link or a picture, with its text, which may have brackets in it. */
const LINK = /!?\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s"[^"\n]*")?\)/g;
const REFERENCE = /\[([^[\]]+)\]\[[^[\]]*\]/g;
const TARGET = /^[ \t]*\[[^\]\n]+\]:.*$/gm;
const ADDRESS = /https?:\/\/\S+/g;
const FENCE = /^[ \t]*(?:```|~~~).*$/gm;
const CELL = / ?\|[ :|-]*/g;

/**
 * Returns about what a reader of Markdown sees: without tags, the addresses of links, the fences of code and the lines of
 * tables. Never fails; what is no Markdown stays as it is.
 */
export const plainText = (markdown: string): string =>
  markdown
    .replace(TAG, ' ')
    .replace(LINK, '$1')
    .replace(REFERENCE, '$1')
    .replace(TARGET, '')
    .replace(ADDRESS, ' ')
    .replace(FENCE, '')
    .replace(/[ \t]+/g, ' ')
    .replace(CELL, ' | ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
