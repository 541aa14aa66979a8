/** A heading of a Markdown document, as plain text. */
export interface Heading {
  /** 1 to 6; 7 for the summary of details that can be opened, which is a heading in its effect. */
  level: number;
  title: string;
}

/** A part of a document that stands by itself, such as a paragraph, a list or a table. */
export interface Block {
  kind: BlockKind;
  /** The first line; lines are counted from 0. */
  from: number;
  /** The line after the last one. */
  to: number;
  /** Null unless the block is a heading, or a summary of details that begin with it. */
  heading: Heading | null;
  /** Returns the blocks that this one is made of, such as the items of a list; none when it has no parts. */
  parts(): Block[];
}

/** The level of a summary. */
export const SUMMARY_LEVEL = 7;

/** `summary` and `end` are HTML with which details begin and end; `text` is what stands for nothing by itself, such as the definitions of links. */
export type BlockKind =
  'heading' | 'paragraph' | 'list' | 'item' | 'quote' | 'code' | 'table' | 'html' | 'summary' | 'end' | 'rule' | 'text';
