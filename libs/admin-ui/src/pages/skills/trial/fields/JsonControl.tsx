import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { ControlProps } from './Fields';

/** Field whose value is entered as JSON. The value is updated whenever the text is valid. */
export function JsonControl({ field, value, onChange }: ControlProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const accept = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setProblem(null);
    } catch (error) {
      setProblem(
        `This is not valid JSON and is not used yet: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };
  return (
    <JsonEditor
      label={field.label}
      description={field.description}
      isRequired={field.isRequired}
      text={text}
      problem={problem}
      onChange={accept}
    />
  );
}

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
