import { Textarea } from '@mantine/core';

interface JsonEditorProps {
  label: string;
  description?: string | null;
  isRequired?: boolean;
  text: string;
  problem: string | null;
  onChange: (text: string) => void;
}

export function JsonEditor({ label, description, isRequired, text, problem, onChange }: JsonEditorProps) {
  return (
    <Textarea
      label={label}
      description={description ?? 'As JSON.'}
      withAsterisk={isRequired}
      maw={720}
      autosize
      minRows={4}
      maxRows={20}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={text}
      error={problem}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
