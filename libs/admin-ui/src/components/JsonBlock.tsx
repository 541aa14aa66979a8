import classes from './JsonBlock.module.css';

interface JsonBlockProps {
  /** Label for screen readers. */
  label: string;
  value: unknown;
}

/** Shows a value as indented JSON, or a text unchanged, in a frame that scrolls. */
export function JsonBlock({ label, value }: JsonBlockProps) {
  return (
    <pre className={classes.block} tabIndex={0} role="group" aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  );
}
