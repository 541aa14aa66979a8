import { element } from './element';
import { type Field, fieldsOf, valueOf } from './fields';
import type { Json } from './json';
import type { Question } from './run';

export interface Answer {
  action: 'accept' | 'decline';
  content: Json | null;
}

const ELSEWHERE = 'Only an administrator can answer this, in the administration under Runs.';

/**
 * Creates the form of a question, or a note about who may answer.
 * @param answer sends the answer; its errors are shown, and the form may be sent again
 */
export function questionForm(question: Question, answer: (answer: Answer) => Promise<void>): HTMLElement {
  const message = element('p', { className: 'message' }, question.message);
  if (question.notCaller) return element('div', { className: 'question' }, message, element('p', {}, ELSEWHERE));
  const fields = fieldsOf(question.schema);
  const controls = fields.map((field) => ({ field, control: controlFor(field) }));
  const problem = element('p', { className: 'problem', hidden: true, role: 'alert' });
  const decline = element('button', { type: 'button', className: 'quiet' }, 'Decline');
  const accept = element('button', { type: 'button' }, fields.length > 0 ? 'Send the answer' : 'Approve');

  const send = async (given: Answer) => {
    const pressed = document.activeElement;
    if (form.contains(pressed)) form.focus(); // a button that is disabled would drop it
    for (const button of [accept, decline]) button.disabled = true;
    problem.hidden = true;
    try {
      await answer(given);
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
      problem.hidden = false;
      for (const button of [accept, decline]) button.disabled = false;
      if (document.activeElement === form && pressed instanceof HTMLElement) pressed.focus();
    }
  };
  const form = element(
    'form',
    { className: 'question', ariaLabel: 'Question', tabIndex: -1 },
    message,
    ...controls.map(({ field, control }) => labelled(field, control)),
    problem,
    element('div', { className: 'actions' }, accept, decline),
  );
  decline.addEventListener('click', () => void send({ action: 'decline', content: null }));
  const submit = () => {
    if (accept.disabled || !form.reportValidity()) return;
    const entries = controls
      .map(({ field, control }) => [field.name, valueOf(field, enteredIn(control))] as const)
      .filter(([, value]) => value !== undefined);
    void send({ action: 'accept', content: Object.fromEntries(entries) });
  };
  // Some assistants do not allow submitting forms in views.
  accept.addEventListener('click', submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  return form;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function controlFor(field: Field): Control {
  const { isRequired: required, initial } = field;
  switch (field.kind) {
    case 'boolean':
      return element('input', { type: 'checkbox', checked: initial === true });
    case 'number':
      return element('input', {
        type: 'number',
        step: field.isInteger ? '1' : 'any',
        required,
        value: typeof initial === 'number' ? String(initial) : '',
      });
    case 'choice': {
      const options = field.options.map(({ value, label }, index) =>
        element('option', { value: String(index), selected: value === initial }, label),
      );
      return element('select', { required }, element('option', { value: '' }, 'Choose…'), ...options);
    }
    case 'text': {
      const value = typeof initial === 'string' ? initial : '';
      return field.isLong
        ? element('textarea', { rows: 4, required, value })
        : element('input', { type: field.type, required, value });
    }
  }
}

/** The label is the name of the control, without the description, which is read after it. */
function labelled({ kind, label, description, isRequired }: Field, control: Control): HTMLElement {
  const title = element('span', {}, isRequired && kind !== 'boolean' ? `${label} *` : label);
  control.ariaLabel = label;
  control.ariaDescription = description;
  const about = description === null ? null : element('small', {}, description);
  return kind === 'boolean'
    ? element('label', { className: 'check' }, control, title, about)
    : element('label', {}, title, about, control);
}

const enteredIn = (control: Control): string | boolean =>
  control instanceof HTMLInputElement && control.type === 'checkbox' ? control.checked : control.value;
