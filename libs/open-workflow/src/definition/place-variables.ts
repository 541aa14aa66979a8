/** The variables of expressions that belong to the workflow as a whole. */
export const WORKFLOW_VARIABLES = ['context', 'workflow', 'runtime', 'secrets'];

/** The variables of expressions that belong to tasks. Only `export.as` has `output`, too. */
export const TASK_VARIABLES = [...WORKFLOW_VARIABLES, 'input', 'task'];

const WHERE_DATA_IS =
  'A task reads the output of the task before it as ".", the input of the workflow as $workflow.input, and what tasks have exported as $context';

/** Where variables with limited scope exist, and what to write elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  input: '$input exists only in tasks: elsewhere, the input of the workflow is $workflow.input, and in input.from "."',
  output: '$output exists only in export.as of a task: in output.as, the output is "."',
  task: '$task exists only in tasks: elsewhere, $workflow and "." tell what there is',
};

/** Returns what to write instead of a variable that is not in scope. @param path of the expression */
export function adviceForVariable(name: string, path: string): string {
  if (path.startsWith('/schedule/'))
    return 'A filter of schedule.on reads the data of the event as ".", and has no variables, because there is no run yet';
  const where = Object.hasOwn(ELSEWHERE, name) ? `${ELSEWHERE[name]}. ` : '';
  return where + WHERE_DATA_IS;
}
