/** What nobody sees, or what only leads somewhere: comments, tags such as anchors, headings, and targets of links. */
const NOTHING = /<!--[\s\S]*?-->|<\/?[a-z][^<>]*>|^[ \t]*#{1,6}[ \t].*$|^[ \t]*\[[^\]\n]+\]:.*$/gim;

/** Returns whether a passage has nothing to read but headings: it may have the words of a query, and answers nothing. */
export const isHollow = (passage: string): boolean => !/[\p{L}\p{N}]/u.test(passage.replace(NOTHING, ''));
