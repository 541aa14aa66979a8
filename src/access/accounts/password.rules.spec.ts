import { passwordProblem } from './password.rules.js';

describe('a new password', () => {
  it.each([
    'correct horse battery',
    'a'.repeat(11) + 'bcd',
    'pässwörter-sind-toll',
    'x1!y2?z3-w4+',
    `ada${'long enough!'}`,
  ])('may be %s', (password) => {
    expect(passwordProblem(password, 'ada')).toBeNull();
  });

  it.each([
    ['eleven char', '12 to 200'],
    ['', '12 to 200'],
    ['abcd'.repeat(51), '12 to 200'],
    ['adaAdaADAada', 'name'],
    ['ada ada ada ada', 'name'],
    ['aaaaaaaaaaaaaaaa', 'different'],
    ['ababcababcab', 'different'],
  ])('may not be %s', (password, message) => {
    expect(passwordProblem(password, 'ada')).toContain(message);
  });
});
