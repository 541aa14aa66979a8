import { TextInput, type TextInputProps } from '@mantine/core';
import { readNumber } from '../json-schema/number';

interface NumberFieldProps extends Omit<TextInputProps, 'onChange'> {
  value: string;
  onChange: (text: string) => void;
}

/** Field for a number. Text that is not a number is kept and refused, instead of becoming another number. */
export function NumberField({ value, error, onChange, ...props }: NumberFieldProps) {
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      value={value}
      error={Number.isNaN(readNumber(value)) ? 'Enter a number without units or separators, such as 1500.' : error}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
      {...props}
    />
  );
}
