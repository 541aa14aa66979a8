import { Badge, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../../api/client';
import { Section } from '../../../components/Section';
import { TextBlock } from '../../../components/TextBlock';
import { countOf, formatNumber } from '../../../text/format';
import type { DraftReport } from './use-edits';

type Preview = Schemas['PackagePreviewView'];
type PreviewedText = Schemas['PreviewedTextView'];

interface PackagePreviewProps {
  /** null = not entered yet. */
  name: string | null;
  report: DraftReport | undefined;
}

/** Shows a preview of a draft for programs; while it has mistakes, the last valid preview. */
export function PackagePreview({ name, report }: PackagePreviewProps) {
  const [last, setLast] = useState<{ name: string | null; preview: Preview } | null>(null);
  const preview = report?.preview ?? null;
  if (report && preview && preview !== last?.preview) setLast({ name: report.name, preview });
  const shown = preview ? { name: report?.name ?? name, preview } : last;
  return (
    <Section
      title="What clients get"
      about={shown && !preview ? 'From the last valid text.' : 'If you save it, and the package is enabled.'}
    >
      {shown ? (
        <Parts name={shown.name ?? ''} preview={shown.preview} />
      ) : (
        <Text size="sm" c="dimmed">
          It appears as soon as the text has no errors.
        </Text>
      )}
    </Section>
  );
}

function Parts({ name, preview: { line, fits, prompt, read } }: { name: string; preview: Preview }) {
  const args = prompt.arguments.map((one) => (one.required ? `<${one.name}>` : `[${one.name}]`));
  return (
    <Stack gap="md">
      <Part
        title="A line in the instructions"
        badge={<Badge color={fits ? 'teal' : 'orange'}>{fits ? 'Fits' : 'No room'}</Badge>}
      >
        <TextBlock label="Line in the instructions" text={line} />
        {!fits && (
          <Text size="sm">
            The instructions have room for 2 KB, and other packages are used more. Assistants find this one with
            skill_find.
          </Text>
        )}
      </Part>
      <Part title="A prompt, often a slash command" badge={<Size of={prompt} />}>
        <TextBlock label="Slash command" text={[`/${name}`, ...args].join(' ')} />
        <Shown label="Text of the prompt" text={prompt} />
      </Part>
      <Part title="What skill_read returns" badge={<Size of={read} />}>
        <Shown label="Result of skill_read" text={read} />
      </Part>
      <Text size="xs" c="dimmed">
        Tokens are estimated at four bytes each.
      </Text>
    </Stack>
  );
}

function Part({ title, badge, children }: { title: string; badge: ReactNode; children: ReactNode }) {
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {badge}
      </Group>
      {children}
    </Stack>
  );
}

function Size({ of: { tokens } }: { of: PreviewedText }) {
  return <Badge color="gray">about {countOf(tokens, 'token')}</Badge>;
}

function Shown({ label, text: { text, characters } }: { label: string; text: PreviewedText }) {
  return (
    <>
      <TextBlock label={label} text={text} />
      {characters > text.length && (
        <Text size="xs" c="dimmed">
          The first {formatNumber(text.length)} of {formatNumber(characters)} characters.
        </Text>
      )}
    </>
  );
}
