import classes from './TextBlock.module.css';

interface TextBlockProps {
  /** Label for screen readers. */
  label: string;
  text: string;
}

/** Shows a text unchanged, such as the source of Markdown. */
export function TextBlock({ label, text }: TextBlockProps) {
  return (
    <pre className={classes.block} role="group" aria-label={label}>
      {text}
    </pre>
  );
}
