/** How well a page serves a query: 3 = answers it, 2 = answers a good part, 1 = is of some use. */
type Grade = 1 | 2 | 3;

/** A query with the pages that serve it, as people judged who had read the pages and asked no search. */
export interface JudgedQuery {
  /** A question as people and assistants ask it, or a few words as typed into a search box. */
  kind: 'question' | 'keywords';
  query: string;
  /** By the page's key; pages not named are of no use. */
  relevant: Readonly<Record<string, Grade>>;
  /** A part of the sentence, command or line of code that answers it, as a page of grade 3 has it. */
  answer?: string;
}
