import { Fieldset, NumberInput, SimpleGrid } from '@mantine/core';
import type { ClientDraft } from './client-draft';

type Limits = Pick<ClientDraft, 'requestsPerMinute' | 'calls' | 'streams' | 'sessions'>;

const FIELDS = [
  ['requestsPerMinute', 'Requests a minute', 'mcp.rate_limit_per_minute', 0, 1_000_000],
  ['calls', 'Calls at once', 'mcp.max_calls_per_key', 1, 100_000],
  ['streams', 'Open streams', 'mcp.max_streams_per_key', 1, 100_000],
  ['sessions', 'Sessions', 'mcp.max_sessions_per_key', 1, 100_000],
] as const;

interface LimitFieldsProps {
  limits: Limits;
  errors: ReadonlyMap<string, string>;
  onChange: (changed: Partial<Limits>) => void;
}

/** The limits of one client. Empty fields mean the global limits. */
export function LimitFields({ limits, errors, onChange }: LimitFieldsProps) {
  return (
    <Fieldset legend="Limits of this client" w="100%" maw={640}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {FIELDS.map(([field, label, setting, min, max]) => (
          <NumberInput
            key={field}
            label={label}
            description={`Empty: ${setting}${min === 0 ? '; 0: no limit' : ''}`}
            allowDecimal={false}
            allowNegative={false}
            min={min}
            max={max}
            clampBehavior="none"
            value={limits[field] ?? ''}
            error={errors.get(`limits.${field}`)}
            onChange={(value) => onChange({ [field]: value === '' ? null : Number(value) })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
