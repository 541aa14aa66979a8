/** A heading of a Markdown document, as plain text. */
export interface Heading {
  /** 1 to 6; 7 for the summary of collapsible details, which acts as a heading. */
  level: number;
  title: string;
}

/** A self-contained part of a document, such as a paragraph, a list or a table. */
export interface Block {
  kind: BlockKind;
  /** The first line; lines are counted from 0. */
  from: number;
  /** The line after the last one. */
  to: number;
  /** Null unless the block is a heading, or the summary at the start of details. */
  heading: Heading | null;
  /** Returns the blocks nested in this one, such as the items of a list; empty when it has none. */
  parts(): Block[];
}

export const SUMMARY_LEVEL = 7;

/**
 * `summary` and `end` are the HTML that opens and closes details; `text` is anything that is not a block, such as link
 * definitions.
 */
export type BlockKind =
  'heading' | 'paragraph' | 'list' | 'item' | 'quote' | 'code' | 'table' | 'html' | 'summary' | 'end' | 'rule' | 'text';
