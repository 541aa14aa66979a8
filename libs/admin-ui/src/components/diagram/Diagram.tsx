import { Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './Diagram.module.css';
import { drawDiagram } from './mermaid';
import { type NodeState, withStates } from './node-states';

interface DiagramProps {
  /** Description of the drawing for screen readers. */
  label: string;
  /** A Mermaid flowchart. */
  flowchart: string;
  /** States by node id. */
  states?: Readonly<Record<string, NodeState>>;
}

const NONE = {};

/** Draws a flowchart. While it is edited, the last drawing stays until the next one is ready. */
export function Diagram({ label, flowchart, states = NONE }: DiagramProps) {
  const scheme = useComputedColorScheme();
  const [drawing, setDrawing] = useState<{ svg: string; problem: string | null }>({ svg: '', problem: null });
  const text = withStates(flowchart, states, scheme);
  useEffect(() => {
    let isCurrent = true;
    drawDiagram(text, scheme).then(
      (svg) => isCurrent && setDrawing({ svg, problem: null }),
      (error: unknown) =>
        isCurrent &&
        setDrawing(({ svg }) => ({ svg, problem: error instanceof Error ? error.message : String(error) })),
    );
    return () => {
      isCurrent = false;
    };
  }, [text, scheme]);
  return (
    <>
      {/* Mermaid sanitises what it draws, and the policy of the page keeps scripts out. */}
      <div
        className={classes.drawing}
        role="img"
        aria-label={label}
        tabIndex={0}
        dangerouslySetInnerHTML={{ __html: drawing.svg }}
      />
      {drawing.problem && <Text size="sm">The diagram cannot be drawn: {drawing.problem}</Text>}
    </>
  );
}
