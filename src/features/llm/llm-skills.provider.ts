import { Injectable } from '@nestjs/common';
import { LlmClassify } from './llm-classify.skills.js';
import { LlmExtract } from './llm-extract.skills.js';
import { LlmGenerate } from './llm-generate.skills.js';

/** The tools that ask language models. */
@Injectable()
export class LlmSkills {
  readonly all;

  constructor(generate: LlmGenerate, classify: LlmClassify, extract: LlmExtract) {
    this.all = [generate, classify, extract] as const;
  }
}
