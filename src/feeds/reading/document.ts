/** A feed document, whichever format it came in. */
export interface FeedDocument {
  title: string | null;
  description: string | null;
  siteUrl: string | null;
  /** How often the publisher says that it changes. */
  intervalMinutes: number | null;
  items: DocumentItem[];
  /** False when the end of the document is missing, or it holds more items than are taken. */
  isComplete: boolean;
}

export interface DocumentItem {
  /** What the publisher identifies it by. */
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
