import { Text } from '@mantine/core';
import type { DocumentListItem } from '../use-knowledge';
import { passageParts } from './passage-parts';
import classes from './FoundPassage.module.css';

/** Shows the found passage of a document. */
export function FoundPassage({ passage }: { passage: NonNullable<DocumentListItem['passage']> }) {
  const { section, content, matches } = passage;
  return (
    <>
      {section.length > 0 && (
        <Text size="sm" c="dimmed">
          {section.join(' › ')}
        </Text>
      )}
      {content !== '' && (
        <Text size="sm" className={classes.passage}>
          {passageParts(content, matches).map(({ text, isFound }, index) =>
            isFound ? <mark key={index}>{text}</mark> : text,
          )}
        </Text>
      )}
    </>
  );
}
