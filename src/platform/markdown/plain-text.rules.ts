const TAG = /<!--[^<>]*-->|<\/?[a-z][^<>\n]*>/gi;
/** A link or a picture; its text may contain brackets. */
const LINK = /!?\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s"[^"\n]*")?\)/g;
const REFERENCE = /\[([^[\]]+)\]\[[^[\]]*\]/g;
const TARGET = /^[ \t]*\[[^\]\n]+\]:.*$/gm;
const ADDRESS = /https?:\/\/\S+/g;
const FENCE = /^[ \t]*(?:```|~~~).*$/gm;
const CELL = / ?\|[ :|-]*/g;

/**
 * Returns roughly what a reader of rendered Markdown sees: without tags, link addresses, code fences and table rules. Never
 * fails; other text stays unchanged.
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
