/**
 * Returns the id of the node that the service draws for a task, by its JSON Pointer: letters and digits stay, `/` becomes
 * `_`, and other characters become their code between two Z. `test/contracts/diagram-nodes` compares this with the service.
 */
export const nodeIdOf = (taskPointer: string): string =>
  `t${taskPointer.replace(/[^0-9A-Ya-z]/gu, (character) =>
    character === '/' ? '_' : `Z${character.codePointAt(0)?.toString(16) ?? ''}Z`,
  )}`;
