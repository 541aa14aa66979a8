import { useDebouncedValue } from '@mantine/hooks';
import { CountedOption } from '../../../components/CountedOption';
import { useTagSuggestions } from '../use-collection';

const TYPING_MS = 250;

/** Returns the suggestions while a tag is typed: the most used tags, with their number of documents. */
export function useTagOptions(typed: string) {
  const [settled] = useDebouncedValue(typed.trim().toLowerCase(), TYPING_MS);
  const { data: tags = [] } = useTagSuggestions(settled);
  const counts = new Map(tags.map(({ tag, documents }) => [tag, documents]));
  return {
    data: [...counts.keys()],
    renderOption: ({ option: { value } }: { option: { value: string } }) => (
      <CountedOption label={value} count={counts.get(value)} />
    ),
  };
}
