import type { SkillHandler } from '#skill-kit';

/** The tools that ask language models. */
export class LlmSkills {
  constructor(readonly all: readonly SkillHandler[]) {}
}
