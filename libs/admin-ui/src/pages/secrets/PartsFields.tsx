import { Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { onFirstClick } from '../../components/first-click';
import type { Part, SecretDraft } from './secret-value';

interface PartsFieldsProps {
  parts: SecretDraft;
  /** True when the parts may be left empty, which keeps the value. */
  mayBeEmpty: boolean;
  problem: string | undefined;
  onChange: (parts: SecretDraft) => void;
}

/** The value of a secret: one text, or named parts. */
export function PartsFields({ parts, mayBeEmpty, problem, onChange }: PartsFieldsProps) {
  const change = (index: number, changed: Partial<Part>) =>
    onChange(parts.map((part, at) => (at === index ? { ...part, ...changed } : part)));
  const isSingle = parts.length === 1;
  return (
    <>
      {parts.map((part, index) => (
        <Group key={index} align="end">
          <TextInput
            label={isSingle ? 'Part (optional)' : `Part ${index + 1}`}
            placeholder={isSingle ? '' : 'username'}
            autoComplete="off"
            w={{ base: '100%', xs: 160 }}
            value={part.name}
            onChange={(event) => change(index, { name: event.currentTarget.value.trim() })}
          />
          <Textarea
            label={isSingle ? 'Value' : `Value ${index + 1}`}
            placeholder={isSingle && mayBeEmpty ? 'Unchanged' : ''}
            autosize
            maxRows={8}
            autoComplete="off"
            w={{ base: '100%', xs: 320 }}
            value={part.value}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          {!isSingle && (
            <Button
              variant="default"
              aria-label={`Remove part ${index + 1}`}
              onClick={onFirstClick(() => onChange(parts.filter((_, at) => at !== index)))}
            >
              Remove
            </Button>
          )}
        </Group>
      ))}
      {problem && (
        <Text role="alert" size="sm" c="red.9">
          {problem}
        </Text>
      )}
    </>
  );
}
