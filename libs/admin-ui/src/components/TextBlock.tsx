import { useEffect, useRef } from 'react';
import { codeOf, splitAtHidden } from '../text/hidden-characters';
import classes from './TextBlock.module.css';

interface TextBlockProps {
  /** Label for screen readers. */
  label: string;
  text: string;
  /** A part of the text that is marked and scrolled to: from one character to another. */
  marked?: { start: number; end: number } | undefined;
  /** True to show hidden characters, which may make code look like other code. */
  isCode?: boolean;
}

/** Shows a text unchanged, such as the source of Markdown. */
export function TextBlock({ label, text, marked, isCode = false }: TextBlockProps) {
  const { start = 0, end = 0 } = marked ?? {};
  const mark = useRef<HTMLElement>(null);
  useEffect(() => void mark.current?.scrollIntoView({ block: 'center' }), [start, end]);
  return (
    <pre className={classes.block} role="group" aria-label={label}>
      {end > start ? (
        <>
          {text.slice(0, start)}
          <mark ref={mark} className={classes.mark}>
            {text.slice(start, end)}
          </mark>
          {text.slice(end)}
        </>
      ) : isCode ? (
        splitAtHidden(text).map((part, index) => (index % 2 === 0 ? part : <Hidden key={index} character={part} />))
      ) : (
        text
      )}
    </pre>
  );
}

function Hidden({ character }: { character: string }) {
  const name = `Hidden character ${codeOf(character)}`;
  return (
    <span className={classes.hidden} role="img" aria-label={name} title={name}>
      •
    </span>
  );
}
