interface ExcerptPart {
  text: string;
  isFound: boolean;
}

/** An excerpt with the words that were found in **bold**, taken apart. */
export function excerptParts(excerpt: string): ExcerptPart[] {
  return excerpt
    .split('**')
    .map((text, index) => ({ text, isFound: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
