import { FollowedCall, toolNameOf } from './followed-call';
import { Host, parentFrame } from './host';
import { isJson, type Json } from './json';
import { RunView } from './run-view';
import './style.css';

const root = document.documentElement;
const host = new Host(parentFrame, {
  onInput: (args) => call.began(args),
  onResult: (result) => call.ended(result),
  onCancelled: (reason) => call.cancelled(reason),
  onContext: applyContext,
  onTeardown: () => call.stop(),
});
const view: RunView = new RunView(document.getElementById('view') ?? document.body, {
  answer: (question, answer) => call.answer(question, answer),
  cancel: () => call.cancel(),
});
const call: FollowedCall = new FollowedCall(host, view);

new ResizeObserver(() => host.sizeChanged(root.scrollWidth, root.offsetHeight)).observe(root);
host.connect().catch((error: unknown) => view.showNotice(error instanceof Error ? error.message : String(error)));

/** Applies the colors of the assistant. */
function applyContext(context: Json): void {
  const { theme, styles } = context;
  if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme;
  const variables = isJson(styles) && isJson(styles['variables']) ? styles['variables'] : {};
  for (const [name, value] of Object.entries(variables)) {
    if (/^--[\w-]+$/.test(name) && typeof value === 'string') root.style.setProperty(name, value);
  }
  const tool = toolNameOf(context);
  if (tool !== null) call.named(tool);
}
