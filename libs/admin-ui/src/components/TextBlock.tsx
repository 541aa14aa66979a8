import classes from './TextBlock.module.css';

interface TextBlockProps {
  /** What it is, for those who can't see it. */
  label: string;
  text: string;
}

/** A text as it was written, such as Markdown. */
export function TextBlock({ label, text }: TextBlockProps) {
  return (
    <pre className={classes.block} role="group" aria-label={label}>
      {text}
    </pre>
  );
}
