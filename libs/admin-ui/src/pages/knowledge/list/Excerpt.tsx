import { Text } from '@mantine/core';
import { excerptParts } from './excerpt-parts';
import classes from './Excerpt.module.css';

/** Shows the passage of a document that was found. */
export function Excerpt({ excerpt }: { excerpt: string }) {
  return (
    <Text size="sm" className={classes.excerpt}>
      {excerptParts(excerpt).map(({ text, isFound }, index) => (isFound ? <mark key={index}>{text}</mark> : text))}
    </Text>
  );
}
