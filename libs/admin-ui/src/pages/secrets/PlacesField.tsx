import { Group, NativeSelect, TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useSkills } from '../skills/use-skills';

interface PlacesFieldProps {
  label: string;
  direction: string;
  about: string;
  /** null = anywhere. */
  places: readonly string[] | null;
  problem: string | undefined;
  /** Names for completion. */
  known?: string[];
  onTyping?: (typed: string) => void;
  onChange: (places: string[] | null) => void;
}

const MOST_PLACES = 50;
const TYPING_MS = 250;
const CHOICES = [
  { value: 'any', label: 'Anywhere' },
  { value: 'these', label: 'Only these' },
];

/** The hosts to which a secret may be sent. */
export function HostsField(props: Pick<PlacesFieldProps, 'places' | 'problem' | 'onChange'>) {
  const about = 'api.example.com, or *.example.com for its subdomains.';
  return <PlacesField label="Hosts" direction="May be sent to" about={about} {...props} />;
}

/** The skills that may get a secret in a call. */
export function SkillsField(props: Pick<PlacesFieldProps, 'places' | 'problem' | 'onChange'>) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const { data } = useSkills({ q: search });
  const tools = data?.items.filter(({ inputSchema }) => inputSchema !== null) ?? [];
  const known = tools.map(({ name }) => name);
  const about = 'Skills and workflows, which may pass it on.';
  return (
    <PlacesField
      label="Skills"
      direction="May be passed to"
      about={about}
      known={known}
      onTyping={setTyped}
      {...props}
    />
  );
}

function PlacesField({ label, direction, about, places, problem, known = [], onTyping, onChange }: PlacesFieldProps) {
  return (
    <Group align="start">
      <NativeSelect
        label={label}
        description={direction}
        w={{ base: '100%', xs: 160 }}
        data={CHOICES}
        value={places === null ? 'any' : 'these'}
        onChange={(event) => onChange(event.currentTarget.value === 'any' ? null : [])}
      />
      {places !== null && (
        <TagsInput
          label={`Allowed ${label.toLowerCase()}`}
          description={`${about} Press Enter after each. Without entries, it may go nowhere.`}
          w={{ base: '100%', xs: 440 }}
          data={known}
          maxTags={MOST_PLACES}
          acceptValueOnBlur
          value={[...places]}
          error={problem}
          {...(onTyping && { onSearchChange: onTyping })}
          onChange={(chosen) => onChange(chosen.map((place) => place.trim()))}
        />
      )}
    </Group>
  );
}
