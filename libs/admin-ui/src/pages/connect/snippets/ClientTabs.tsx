import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Snippets.module.css';

interface ClientTabsProps<Item> {
  items: readonly Item[];
  children: (item: Item) => ReactNode;
}

/** A tab for each client. */
export function ClientTabs<Item extends { client: string }>({ items, children }: ClientTabsProps<Item>) {
  return (
    <Tabs defaultValue={tabOf(items[0]?.client)} variant="pills">
      <Tabs.List aria-label="Clients" className={classes.tabs}>
        {items.map(({ client }) => (
          <Tabs.Tab key={client} value={tabOf(client)}>
            {client}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {items.map((item) => (
        <Tabs.Panel key={item.client} value={tabOf(item.client)} pt="md">
          {children(item)}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

// The name becomes part of an HTML id, which must not contain spaces.
const tabOf = (client = ''): string => client.replaceAll(' ', '-');
