import { Button, List, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../components/Section';
import { ClientTabs } from './ClientTabs';
import { CopiedText } from './CopiedText';
import { SignInSnippets } from './SignInSnippets';
import { type Snippet, withKey } from './snippet';
import { ENVIRONMENT_LINE, KEY_NOTES, NEW_KEY_NOTES, SNIPPETS } from './snippets';

const WAYS = [
  { value: 'key', label: 'With a key' },
  { value: 'sign-in', label: 'Sign in' },
];

/** Shows what to paste into each client, with the key if it is known, or how to sign in with it. */
export function Snippets({ url, apiKey }: { url: string; apiKey: string | null }) {
  const [way, setWay] = useState('key');
  return (
    <Section
      title="Add it to a client"
      about="Choose the program that should use this service."
      actions={<SegmentedControl aria-label="How to connect" size="xs" data={WAYS} value={way} onChange={setWay} />}
    >
      {way === 'sign-in' ? (
        <SignInSnippets />
      ) : (
        <ClientTabs items={SNIPPETS}>
          {(snippet) => <SnippetPanel snippet={snippet} url={url} apiKey={apiKey} />}
        </ClientTabs>
      )}
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
