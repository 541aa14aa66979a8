interface ExcerptPart {
  text: string;
  isFound: boolean;
}

/** Splits an excerpt into plain parts and the **bold** words that were found. */
export function excerptParts(excerpt: string): ExcerptPart[] {
  return excerpt
    .split('**')
    .map((text, index) => ({ text, isFound: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
