/** A file to become a document. */
export interface ImportedFile {
  /** Says which document it is: the same path replaces it. */
  path: string;
  content: string;
  /** Default: by the extension of the path. */
  type?: ImportedType | undefined;
}

export const IMPORTED_TYPES = ['markdown', 'text', 'html'] as const;
export type ImportedType = (typeof IMPORTED_TYPES)[number];

export interface ImportedDocument {
  title: string;
  content: string;
  tags: readonly string[];
}
