import { Text } from '@mantine/core';
import { CopyButton } from '../../../components/CopyButton';
import { JsonBlock } from '../../../components/JsonBlock';
import classes from './Snippets.module.css';

interface CopiedTextProps {
  about: string;
  isCode?: boolean;
  /** Name of the copied text. */
  what: string;
  label: string;
  text: string;
}

/** A text to copy. */
export function CopiedText({ about, isCode = false, what, label, text }: CopiedTextProps) {
  return (
    <>
      <div className={classes.head}>
        <Text size="sm" ff={isCode ? 'monospace' : undefined}>
          {about}
        </Text>
        <CopyButton value={text} what={what} />
      </div>
      <JsonBlock label={label} value={text} />
    </>
  );
}
