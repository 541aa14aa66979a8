import { useState } from 'react';
import type { ControlProps } from './FieldControl';
import { JsonEditor } from './JsonEditor';

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
