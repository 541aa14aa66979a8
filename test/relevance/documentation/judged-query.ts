/** How well a page serves a query: 3 = answers it, 2 = answers a good part, 1 = is of some use. */
type Grade = 1 | 2 | 3;

/** A query with its relevant pages, as judged by people who had read the pages and had not used a search. */
export interface JudgedQuery {
  /** A question to a person or assistant, or a few words as typed into a search box. */
  kind: 'question' | 'keywords';
  query: string;
  /** By the page's key; unlisted pages are irrelevant. */
  relevant: Readonly<Record<string, Grade>>;
  /** A part of the sentence, command or line of code that answers it, as it appears in a page of grade 3. */
  answer?: string;
}
