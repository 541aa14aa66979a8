import { Button, List, Stack, Tabs, Text } from '@mantine/core';
import { CopyButton } from '../../../components/CopyButton';
import { JsonBlock } from '../../../components/JsonBlock';
import { Section } from '../../../components/Section';
import { type Snippet, withKey } from './snippet';
import { ENVIRONMENT_LINE, KEY_NOTES, NEW_KEY_NOTES, SNIPPETS } from './snippets';
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
        {SNIPPETS.map((snippet) => (
          <Tabs.Panel key={snippet.client} value={tabOf(snippet.client)} pt="md">
            <SnippetPanel snippet={snippet} url={url} apiKey={apiKey} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

function SnippetPanel({ snippet, url, apiKey }: { snippet: Snippet; url: string; apiKey: string | null }) {
  const { client, where, key, install, notes } = snippet;
  const text = key === 'file' ? withKey(snippet.text(url), apiKey) : snippet.text(url);
  return (
    <Stack gap="sm">
      <CopiedText about={where} isCode={where.includes('.')} what={client} label={`For ${client}`} text={text} />
      {key === 'environment' ? (
        <CopiedText
          about={keyNotes(apiKey)[key]}
          what="the line that sets AGENT_KEY"
          label={`Key for ${client}`}
          text={withKey(ENVIRONMENT_LINE, apiKey)}
        />
      ) : (
        <Text size="sm">{keyNotes(apiKey)[key]}</Text>
      )}
      {install && (
        <div>
          <Button component="a" href={install(url)} variant="default">
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
  );
}

const keyNotes = (apiKey: string | null) => (apiKey === null ? KEY_NOTES : NEW_KEY_NOTES);

interface CopiedTextProps {
  about: string;
  isCode?: boolean;
  /** Name of what is copied. */
  what: string;
  label: string;
  text: string;
}

function CopiedText({ about, isCode = false, what, label, text }: CopiedTextProps) {
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

// The name becomes part of an HTML id, which must not contain spaces.
const tabOf = (client = ''): string => client.replaceAll(' ', '-');
