import { useDebouncedValue } from '@mantine/hooks';
import { useTagSuggestions } from '../use-collection';
import { TagOption } from './TagOption';

const TYPING_MS = 250;

/** Returns the suggestions while a tag is typed: the most used tags, with their number of documents. */
export function useTagOptions(typed: string) {
  const [settled] = useDebouncedValue(typed.trim().toLowerCase(), TYPING_MS);
  const { data: tags = [] } = useTagSuggestions(settled);
  const counts = new Map(tags.map(({ tag, documents }) => [tag, documents]));
  return {
    data: [...counts.keys()],
    renderOption: ({ option: { value } }: { option: { value: string } }) => (
      <TagOption tag={value} documents={counts.get(value)} />
    ),
  };
}
