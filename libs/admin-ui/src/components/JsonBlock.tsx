import classes from './JsonBlock.module.css';

interface JsonBlockProps {
  /** What it is, for those who can't see it. */
  label: string;
  value: unknown;
}

/** A value as indented JSON, or a text as it is; scrolls inside its frame. */
export function JsonBlock({ label, value }: JsonBlockProps) {
  return (
    <pre className={classes.block} tabIndex={0} role="group" aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  );
}
