import { SegmentedControl, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { MarkdownView } from '../../../components/MarkdownView';
import { Section } from '../../../components/Section';
import { TextBlock } from '../../../components/TextBlock';

/** Longer documents are slow to lay out, so their source is shown first. */
const LONG = 200_000;

const VIEWS = [
  { value: 'rendered', label: 'Rendered' },
  { value: 'source', label: 'Source' },
  { value: 'both', label: 'Side by side' },
];

interface DocumentContentProps {
  /** Markdown. */
  text: string;
  marked: { start: number; end: number } | undefined;
}

/** Shows a document rendered, as source, or both. */
export function DocumentContent({ text, marked }: DocumentContentProps) {
  const [view, setView] = useState(text.length > LONG ? 'source' : 'rendered');
  return (
    <Section
      title="Content"
      actions={<SegmentedControl aria-label="How to show the content" data={VIEWS} value={view} onChange={setView} />}
    >
      <SimpleGrid cols={{ base: 1, md: view === 'both' ? 2 : 1 }}>
        {view !== 'source' && <MarkdownView label="Content" text={text} marked={marked} />}
        {view !== 'rendered' && <TextBlock label="Content, Markdown" text={text} marked={marked} />}
      </SimpleGrid>
    </Section>
  );
}
