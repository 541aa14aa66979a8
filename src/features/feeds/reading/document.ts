export interface FeedDocument {
  title: string | null;
  description: string | null;
  siteUrl: string | null;
  /** How often the document changes, as its publisher declares; null = not declared. */
  intervalMinutes: number | null;
  items: DocumentItem[];
  /** False when the end of the document is missing, or when it has more items than were read. */
  isComplete: boolean;
}

export interface DocumentItem {
  /** The publisher's identifier. */
  guid: string | null;
  url: string | null;
  title: string | null;
  author: string | null;
  publishedAt: Date | null;
  content: DocumentContent | null;
  categories: string[];
  attachments: Attachment[];
}

export interface DocumentContent {
  text: string;
  isHtml: boolean;
}

export interface Attachment {
  url: string;
  type: string | null;
}
