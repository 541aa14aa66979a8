import { Text } from '@mantine/core';
import type { Element, Root } from 'hast';
import { useEffect, useMemo, useRef } from 'react';
import Markdown, { type Components } from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import classes from './MarkdownView.module.css';
import { OutsideLink } from './OutsideLink';

interface MarkdownViewProps {
  /** Label for screen readers. */
  label: string;
  text: string;
  /** A part of the text that is marked and scrolled to: from one character to another. */
  marked?: { start: number; end: number } | undefined;
}

/** Renders Markdown. Embedded HTML is sanitised, and nothing is loaded from other sites. */
export function MarkdownView({ label, text, marked }: MarkdownViewProps) {
  const { start = 0, end = 0 } = marked ?? {};
  const frame = useRef<HTMLDivElement>(null);
  useEffect(
    () => void frame.current?.querySelector('[data-marked]')?.scrollIntoView({ block: 'center' }),
    [start, end],
  );
  const shown = useMemo(
    () => (
      <Markdown
        remarkPlugins={[remarkGfm, remarkFrontmatter]}
        rehypePlugins={[rehypeRaw, rehypeSanitize, [rehypeHighlight, { detect: false }], [markRange, { start, end }]]}
        components={COMPONENTS}
      >
        {text}
      </Markdown>
    ),
    [text, start, end],
  );
  return (
    <div ref={frame} className={classes.markdown} role="group" aria-label={label}>
      {shown}
    </div>
  );
}

// Headings of a document are one level below those of the page.
const COMPONENTS: Components = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  pre: ({ node: _node, ...props }) => <pre tabIndex={0} {...props} />,
  table: ({ node: _node, ...props }) => (
    <div className={classes.wide} tabIndex={0} role="group" aria-label="Table">
      <table {...props} />
    </div>
  ),
  a: ({ href, children }) => <OutsideLink href={href ?? null}>{children}</OutsideLink>,
  img: ({ alt }) => (
    <Text component="span" size="sm" c="dimmed">
      [{alt || 'picture'}]
    </Text>
  ),
};

/** Marks the blocks of a range of the text. */
function markRange({ start, end }: { start: number; end: number }) {
  return (tree: Root) => {
    if (end <= start) return;
    for (const node of tree.children) if (node.type === 'element') markWithin(node, start, end);
  };
}

function markWithin(node: Element, start: number, end: number): void {
  const from = node.position?.start.offset;
  const to = node.position?.end.offset;
  if (from === undefined || to === undefined || to <= start || from >= end) return;
  const parts = LISTS.includes(node.tagName) ? node.children.filter((child) => child.type === 'element') : [];
  if (parts.length > 0) for (const part of parts) markWithin(part, start, end);
  else node.properties['dataMarked'] = 'true';
}

/** In lists, only the entries within the range are marked. */
const LISTS = ['ul', 'ol'];
