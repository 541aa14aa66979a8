import { Button, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { fieldErrors } from '../../../api/api-error';
import { useMay } from '../../../api/session';
import { clearAnswer } from '../../../components/clear-answer';
import { changedFields } from '../../../components/changed-fields';
import { FieldsChangedMeanwhile } from '../../../components/FieldsChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { Section } from '../../../components/Section';
import { useUnsavedFields } from '../../../components/use-unsaved-changes';
import { type Skill, type SkillLimitsBody, useUpdateSkill } from '../use-skills';

const FIELDS = [
  ['timeoutMs', 'Time limit of a call, in ms', 'mcp.tool_timeout_ms'],
  ['maxResultBytes', 'Size of a result, in bytes', 'mcp.max_result_bytes'],
] as const;

/** The limits of the calls of one skill. Empty fields mean the global limits. */
export function SkillLimits({ skill }: { skill: Skill }) {
  const { name, timeoutMs, maxResultBytes } = skill;
  const saved: SkillLimitsBody = { timeoutMs, maxResultBytes };
  const fields = useUnsavedFields(saved);
  const { draft, change, endEdit, hasChanges, isOutdated } = fields;
  const save = useUpdateSkill(name);
  const may = useMay('admin');
  const errors = fieldErrors(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(changedFields(draft, saved), {
      onSuccess: () => {
        endEdit(draft);
        showDone(`The limits of ${name} are saved.`);
      },
    });
  };
  return (
    <Section title="Limits" about="They hold for every call of this skill, also by a workflow.">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" align="start">
          {save.error && errors.size === 0 && <ErrorNotice error={save.error} />}
          <SimpleGrid cols={{ base: 1, xs: 2 }} w="100%" maw={640}>
            {FIELDS.map(([field, label, setting]) => (
              <NumberInput
                key={field}
                label={label}
                description={`Empty: ${setting}`}
                allowDecimal={false}
                allowNegative={false}
                thousandSeparator=","
                disabled={!may}
                value={draft[field] ?? ''}
                error={errors.get(field)}
                onChange={(value) => {
                  clearAnswer(save);
                  change({ [field]: value === '' ? null : Number(value) });
                }}
              />
            ))}
          </SimpleGrid>
          <FieldsChangedMeanwhile what="skill" fields={fields} textOf={textOf} isSaving={save.isPending} />
          {may && (
            <Button type="submit" variant="default" loading={save.isPending} disabled={!hasChanges || isOutdated}>
              Save
            </Button>
          )}
        </Stack>
      </form>
    </Section>
  );
}

const textOf = (limits: SkillLimitsBody): string =>
  FIELDS.map(([field, label]) => `${label}: ${limits[field] ?? ''}`).join('\n');
