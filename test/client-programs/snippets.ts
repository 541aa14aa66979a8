/** The values for the placeholders in the manual. */
export interface Filled {
  url: string;
  key: string;
}

/**
 * Returns the code blocks in the manual's section for a program, with URL and key filled in.
 * @throws Error when the manual has none
 */
export function snippetsFor(manual: string, program: string, { url, key }: Filled): string[] {
  const sections = manual.split('<details').filter((section) => summaryOf(section).includes(program));
  const blocks = sections.flatMap((section) => [...section.matchAll(/^```\w+\n(.*?)^```$/gms)]);
  if (blocks.length === 0) throw new Error(`the manual has no snippet for ${program}`);
  return blocks.map(([, code = '']) =>
    code
      .replaceAll(/http:\/\/127\.0\.0\.1:5001\/mcp|https:\/\/agents\.example\.com\/mcp\/oauth/g, url)
      .replaceAll(/Bearer KEY\b/g, `Bearer ${key}`),
  );
}

const summaryOf = (section: string): string => /<summary>(.*?)<\/summary>/s.exec(section)?.[1] ?? '';
