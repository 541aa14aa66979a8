import { Button, List, Stack, Tabs, Text } from '@mantine/core';
import { CopyButton } from '../../../components/CopyButton';
import { JsonBlock } from '../../../components/JsonBlock';
import { Section } from '../../../components/Section';
import { withKey } from './snippet';
import { SNIPPETS } from './snippets';
import classes from './Snippets.module.css';

/** Shows what to paste into each client, with the key if it is known. */
export function Snippets({ url, apiKey }: { url: string; apiKey: string | null }) {
  return (
    <Section title="Add it to a client" about="Choose the program that should use this service.">
      <Tabs defaultValue={tabOf(SNIPPETS[0]?.client)} variant="pills">
        <Tabs.List aria-label="Clients" className={classes.tabs}>
          {SNIPPETS.map(({ client }) => (
            <Tabs.Tab key={client} value={tabOf(client)}>
              {client}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SNIPPETS.map(({ client, where, text, install, notes }) => (
          <Tabs.Panel key={client} value={tabOf(client)} pt="md">
            <Stack gap="sm">
              <div className={classes.head}>
                <Text size="sm" ff={where.includes('.') ? 'monospace' : undefined}>
                  {where}
                </Text>
                <CopyButton value={withKey(text(url), apiKey)} what={client} />
              </div>
              <JsonBlock label={`For ${client}`} value={withKey(text(url), apiKey)} />
              {install && (
                <div>
                  <Button component="a" href={install(url, apiKey)} variant="default">
                    Install in {client}
                  </Button>
                </div>
              )}
              <List size="sm">
                {notes.map((note) => (
                  <List.Item key={note}>{note}</List.Item>
                ))}
              </List>
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

// The name becomes part of an HTML id, which must not contain spaces.
const tabOf = (client = ''): string => client.replaceAll(' ', '-');
