import { failure, type SkillDefinition, type SkillOutput, type SkillResult, text } from '#skill-kit';

/**
 * Converts what a skill returned to a result that every client can read: some clients show only the text and some only
 * the structured content, so the text repeats the structured content.
 */
export function toSkillResult(skill: SkillDefinition, output: SkillOutput): SkillResult {
  const result = normalized(output);
  if (result.isError || !skill.outputSchema) return result;
  const problems = skill.outputProblems(result.structuredContent);
  if (problems.length === 0) return result;
  return failure(`The result of the tool ${skill.name} does not match its output schema: ${problems.join('; ')}`);
}

function normalized(output: SkillOutput): SkillResult {
  if (typeof output === 'string') return { content: [text(output)] };
  if (!isSkillResult(output)) {
    return { content: [text(JSON.stringify(output))], structuredContent: { ...output } };
  }
  if (output.content.length > 0 || !output.structuredContent) return output;
  return { ...output, content: [text(JSON.stringify(output.structuredContent))] };
}

function isSkillResult(output: object): output is SkillResult {
  return 'content' in output && Array.isArray(output.content);
}
