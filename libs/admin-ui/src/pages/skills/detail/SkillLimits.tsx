import { SimpleGrid } from '@mantine/core';
import { fieldErrors } from '../../../api/api-error';
import { useMay } from '../../../api/session';
import { changedFields } from '../../../components/changed-fields';
import { FieldsForm } from '../../../components/FieldsForm';
import { showDone } from '../../../components/notices';
import { NumberField } from '../../../components/NumberField';
import { useUnsavedFields } from '../../../components/use-unsaved-changes';
import { areNumbers, readNumber, textOfNumber } from '../../../json-schema/number';
import { type Skill, type SkillLimitsBody, useLimitSkill } from '../use-skills';

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
  const save = useLimitSkill(name);
  const fields = useUnsavedFields(saved, save);
  const { draft, change, endEdit } = fields;
  const may = useMay('admin');
  const errors = fieldErrors(save.error);
  const submit = () =>
    save.mutate(changedFields(toBody(draft), toBody(saved)), {
      onSuccess: () => {
        endEdit(draft);
        showDone(`The limits of ${name} are saved.`);
      },
    });
  return (
    <FieldsForm
      title="Limits"
      about="They apply to every call of this skill, also by workflows."
      what="skill"
      fields={fields}
      textOf={textOf}
      error={save.error}
      isReadable={areNumbers(draft.timeoutMs, draft.maxResultBytes)}
      mayChange={may}
      onSave={submit}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} w="100%" maw={640}>
        {FIELDS.map(([field, label, setting]) => (
          <NumberField
            key={field}
            label={label}
            description={`Empty: ${setting}`}
            disabled={!may}
            value={draft[field]}
            error={errors.get(field)}
            onChange={(value) => change({ [field]: value })}
          />
        ))}
      </SimpleGrid>
    </FieldsForm>
  );
}

const toBody = ({ timeoutMs, maxResultBytes }: LimitsDraft): SkillLimitsBody => ({
  timeoutMs: readNumber(timeoutMs),
  maxResultBytes: readNumber(maxResultBytes),
});

const textOf = (limits: LimitsDraft): string => FIELDS.map(([field, label]) => `${label}: ${limits[field]}`).join('\n');
