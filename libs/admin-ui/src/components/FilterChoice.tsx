import { NativeSelect } from '@mantine/core';
import { useSearchParams } from 'react-router';

export const FILTER_WIDTH = { base: '100%', xs: 180 };

interface FilterChoiceProps {
  label: string;
  name: string;
  options: { value: string; label: string }[];
}

/** A select field of a filter whose value is kept in the URL. */
export function FilterChoice({ label, name, options }: FilterChoiceProps) {
  const [value, choose] = useParam(name);
  return (
    <NativeSelect
      label={label}
      data={options}
      w={FILTER_WIDTH}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

/** Returns a query parameter of the URL, '' if absent, and its setter. */
export function useParam(name: string): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const choose = (value: string) =>
    setParams(
      (given) => {
        const next = new URLSearchParams(given);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return [params.get(name) ?? '', choose];
}
