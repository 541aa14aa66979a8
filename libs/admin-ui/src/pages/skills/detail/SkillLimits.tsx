import { Button, SimpleGrid, Stack } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { fieldErrors } from '../../../api/api-error';
import { useMay } from '../../../api/session';
import { clearAnswer } from '../../../components/clear-answer';
import { changedFields } from '../../../components/changed-fields';
import { FieldsChangedMeanwhile } from '../../../components/FieldsChangedMeanwhile';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { showDone } from '../../../components/notices';
import { NumberField } from '../../../components/NumberField';
import { Section } from '../../../components/Section';
import { useUnsavedFields } from '../../../components/use-unsaved-changes';
import { areNumbers, readNumber, textOfNumber } from '../../../json-schema/number';
import { type Skill, type SkillLimitsBody, useUpdateSkill } from '../use-skills';

const FIELDS = [
  ['timeoutMs', 'Time limit of a call, in ms', 'mcp.tool_timeout_ms'],
  ['maxResultBytes', 'Size of a result, in bytes', 'mcp.max_result_bytes'],
] as const;

/** '' = the global limit. */
interface LimitsDraft {
  timeoutMs: string;
  maxResultBytes: string;
}

/** The limits of the calls of one skill. Empty fields mean the global limits. */
export function SkillLimits({ skill }: { skill: Skill }) {
  const { name } = skill;
  const saved: LimitsDraft = {
    timeoutMs: textOfNumber(skill.timeoutMs),
    maxResultBytes: textOfNumber(skill.maxResultBytes),
  };
  const fields = useUnsavedFields(saved);
  const { draft, change, endEdit, hasChanges, isOutdated } = fields;
  const save = useUpdateSkill(name);
  const may = useMay('admin');
  const errors = fieldErrors(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(changedFields(toBody(draft), toBody(saved)), {
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
              <NumberField
                key={field}
                label={label}
                description={`Empty: ${setting}`}
                disabled={!may}
                value={draft[field]}
                error={errors.get(field)}
                onChange={(value) => {
                  clearAnswer(save);
                  change({ [field]: value });
                }}
              />
            ))}
          </SimpleGrid>
          <FieldsChangedMeanwhile what="skill" fields={fields} textOf={textOf} isSaving={save.isPending} />
          {may && (
            <Button
              type="submit"
              variant="default"
              loading={save.isPending}
              disabled={!hasChanges || isOutdated || !areNumbers(draft.timeoutMs, draft.maxResultBytes)}
            >
              Save
            </Button>
          )}
        </Stack>
      </form>
    </Section>
  );
}

const toBody = ({ timeoutMs, maxResultBytes }: LimitsDraft): SkillLimitsBody => ({
  timeoutMs: readNumber(timeoutMs),
  maxResultBytes: readNumber(maxResultBytes),
});

const textOf = (limits: LimitsDraft): string => FIELDS.map(([field, label]) => `${label}: ${limits[field]}`).join('\n');
