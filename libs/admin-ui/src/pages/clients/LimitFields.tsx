import { Fieldset, SimpleGrid } from '@mantine/core';
import { NumberField } from '../../components/NumberField';
import type { LimitDraft } from './client-draft';

const FIELDS = [
  ['requestsPerMinute', 'Requests a minute', 'mcp.rate_limit_per_minute; 0: no limit'],
  ['calls', 'Calls at once', 'mcp.max_calls_per_key'],
  ['streams', 'Open streams', 'mcp.max_streams_per_key'],
  ['sessions', 'Sessions', 'mcp.max_sessions_per_key'],
] as const;

interface LimitFieldsProps {
  limits: LimitDraft;
  errors: ReadonlyMap<string, string>;
  onChange: (changed: Partial<LimitDraft>) => void;
}

/** The limits of one client. Empty fields mean the global limits. */
export function LimitFields({ limits, errors, onChange }: LimitFieldsProps) {
  return (
    <Fieldset legend="Limits of this client" w="100%" maw={640}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {FIELDS.map(([field, label, empty]) => (
          <NumberField
            key={field}
            label={label}
            description={`Empty: ${empty}`}
            value={limits[field]}
            error={errors.get(`limits.${field}`)}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
