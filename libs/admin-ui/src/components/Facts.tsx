import { Fragment, type ReactNode } from 'react';
import classes from './Facts.module.css';

/** Lists facts about one thing, by their titles. Facts that are null are left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={classes.facts}>
      {Object.entries(facts)
        .filter(([, value]) => value !== null)
        .map(([title, value]) => (
          <Fragment key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
