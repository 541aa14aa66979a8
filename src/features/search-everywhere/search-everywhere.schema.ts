import { IsString } from 'class-validator';
import { Nested } from '#skill-kit';
import { AnyObject, Text } from '../../core/skills/skill-fields.decorators.js';
import { LONGEST_GIVEN } from '../../platform/text/search-lacks.rules.js';

export class SearchInput {
  @Text('A question or words, such as "Which day do we deploy?"; the first 1000 characters are searched for.', {
    min: 1,
    max: LONGEST_GIVEN,
  })
  query!: string;
}

export class FetchInput {
  @Text('The id of a result of search, such as "knowledge://documents/deploy-day".', { min: 1, max: 2_048 })
  id!: string;
}

export class SearchHit {
  @Text('The tool fetch takes it.')
  id!: string;

  @IsString() title!: string;
  @Text('Where people see it.')
  url!: string;
}

export class SearchResult {
  @Nested(() => SearchHit, { each: true }) results!: SearchHit[];
}

export class FetchResult extends SearchHit {
  @IsString() text!: string;
  @AnyObject('Texts by name.', { type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Record<string, string>;
}
