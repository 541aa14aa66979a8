import { IsIn, IsInt, IsString } from 'class-validator';
import { Amount, Integer, Tags, Text } from '../../core/skills/skill-fields.decorators.js';
import type { SavedMemory } from './memory-entry.js';
import { DEFAULT_NAMESPACE, KEY, MAX_CONTENT, MAX_IMPORTANCE, NAMESPACE } from './memory.rules.js';

class NamedEntry {
  @Text(
    'Name of the entry, such as "deploy-day": 1 to 128 lower-case letters, digits, dots, underscores and hyphens; the first is a letter or digit.',
    { pattern: KEY },
  )
  key!: string;

  @Text(
    'Group of entries, such as "shared" or "ann": 1 to 64 lower-case letters, digits, dots, underscores and hyphens; the first is a letter or digit.',
    { pattern: NAMESPACE, optional: true, default: DEFAULT_NAMESPACE },
  )
  namespace?: string;
}

export class MemorySaveInput extends NamedEntry {
  @Text(
    'What to remember, such as "We deploy on Tuesdays", at most 100,000 characters. It replaces what the key said.',
    { min: 1, max: MAX_CONTENT },
  )
  content!: string;

  @Tags(
    'Words to find it by, such as ["ops"]. By default, an entry that is replaced keeps its tags; [] takes them away.',
  )
  tags?: string[];

  @Integer('1 to 5, such as 5 for what must not be missed. By default 3, or what an entry that is replaced has.', {
    min: 1,
    max: MAX_IMPORTANCE,
    optional: true,
  })
  importance?: number;

  @Amount(
    'After how many days it is forgotten, such as 30, at most 36500; 0 keeps it for ever. By default for ever, or as long as an entry that is replaced.',
    { min: 0, max: 36_500, optional: true },
  )
  expires_in_days?: number;
}

export class MemorySaveResult {
  @IsString() uri!: string;
  @IsIn(['created', 'updated', 'unchanged']) outcome!: SavedMemory['outcome'];
  @IsInt() version!: number;
  @Text('When it expires; left out when it never does.', { optional: true }) expires?: string;
  @Text('Another entry that says the same.', { optional: true }) same_as?: string;
  @Text('What was done, and what to do next.') hint!: string;
}

export class MemoryRemoveInput extends NamedEntry {}
