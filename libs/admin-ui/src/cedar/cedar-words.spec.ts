import { cedarPlace, cedarWords } from './cedar-words';

const wordsAfter = (line: string) => {
  const place = cedarPlace(line);
  return place && cedarWords(place);
};

describe('cedarPlace', () => {
  it.each([
    ['  resource == Tool::"memory_', { kind: 'entity', type: 'Tool', typed: 'memory_' }],
    ['principal in Group::"', { kind: 'entity', type: 'Group', typed: '' }],
    ['when { context.ho', { kind: 'member', of: 'context', typed: 'ho' }],
    ['["a", "b"].con', { kind: 'member', of: ']', typed: 'con' }],
    ['@adv', { kind: 'annotation', typed: 'adv' }],
    ['for', { kind: 'word', typed: 'for' }],
    ['', { kind: 'word', typed: '' }],
  ])('of %s', (line, place) => expect(cedarPlace(line)).toEqual(place));

  it.each(['// perm', '@advice("resource.', 'resource.uri like "memory://perm'])('is none within %s', (line) =>
    expect(cedarPlace(line)).toBeNull(),
  );

  it('is one after a string that contains the start of a comment', () =>
    expect(cedarPlace('resource.uri like "memory://a" && con')).toEqual({ kind: 'word', typed: 'con' }));
});

describe('cedarWords', () => {
  it('are those that mean something at the place', () => {
    expect(wordsAfter('context.')).toContain('weekday');
    expect(wordsAfter('resource.')).toContain('readOnly');
    expect(wordsAfter('context.args.')).toEqual(['contains', 'containsAll', 'containsAny', 'isEmpty']);
    expect(wordsAfter('action == Action::"')).toEqual(['callTool', 'readResource', 'getPrompt']);
    expect(wordsAfter('@')).toContain('require_approval');
    expect(wordsAfter('unl')).toContain('unless');
    expect(wordsAfter('Tool::"')).toEqual([]);
  });
});
