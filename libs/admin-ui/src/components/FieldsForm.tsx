import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { fieldErrors } from '../api/api-error';
import { ChangedMeanwhile } from './ChangedMeanwhile';
import { ErrorNotice } from './ErrorNotice';
import { Form } from './Form';
import { Section } from './Section';
import type { UnsavedFields } from './use-unsaved-changes';

interface FieldsFormProps<Fields extends object> {
  title: string;
  about?: string;
  /** Name of the object that has the fields. */
  what: string;
  fields: UnsavedFields<Fields>;
  /** Describes the fields, for comparing them with those of somebody else. */
  textOf: (fields: Fields) => string;
  error: Error | null;
  /** False while something is entered that cannot be sent. */
  isReadable?: boolean;
  /** False for users who can only read. */
  mayChange?: boolean;
  onSave: () => void;
  children: ReactNode;
}

/** A section with a form for fields that are saved independently. */
export function FieldsForm<Fields extends object>(props: FieldsFormProps<Fields>) {
  const { title, about, what, fields, textOf, error, isReadable = true, mayChange = true, onSave, children } = props;
  const { hasChanges, isOutdated, isSaving } = fields;
  return (
    <Section title={title} about={about}>
      <Form onSubmit={onSave}>
        <Stack gap="sm" align="start">
          {error && fieldErrors(error).size === 0 && <ErrorNotice error={error} />}
          {children}
          <ChangedMeanwhile
            what={what}
            consequence="Fields that you have not changed show the current values."
            edit={fields}
            textOf={textOf}
          />
          {mayChange && (
            <div>
              <Button
                type="submit"
                variant="default"
                loading={isSaving}
                disabled={!hasChanges || isOutdated || !isReadable}
              >
                Save
              </Button>
            </div>
          )}
        </Stack>
      </Form>
    </Section>
  );
}
