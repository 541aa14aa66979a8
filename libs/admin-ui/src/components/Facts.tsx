import { Fragment, type ReactNode } from 'react';
import classes from './Facts.module.css';

interface Fact {
  title: string;
  value: ReactNode;
}

/** Lists facts about one thing. Facts whose value is null are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(({ value }) => value !== null)
        .map(({ title, value }) => (
          <Fragment key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
