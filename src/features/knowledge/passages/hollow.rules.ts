/** Invisible text and mere references: comments, tags such as anchors, headings, and targets of links. */
const NOTHING = /<!--[\s\S]*?-->|<\/?[a-z][^<>]*>|^[ \t]*#{1,6}[ \t].*$|^[ \t]*\[[^\]\n]+\]:.*$/gim;

/** Returns whether a passage has no content but headings: it may match a query, but is no answer. */
export const isHollow = (passage: string): boolean => !/[\p{L}\p{N}]/u.test(passage.replace(NOTHING, ''));
