/**
 * Keeps the focus where somebody works by keyboard or screen reader. Browsers drop it when its element is disabled, as a button
 * is during its request, or removed, as with a deleted row. It returns to the element when that is enabled again, and from a
 * removed one to what took its place. While a button has nothing to do, as after a save, what is around it has the focus.
 */
export function keepFocus(page: HTMLElement): void {
  // One of the page, and one of a dialog over it: the page gets its own back when the dialog is gone.
  const held = new WeakMap<Element, Held>();
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const area = page.contains(target) ? page : target.closest(DIALOG);
    if (area && held.get(area)?.around !== target) held.set(area, { element: target, places: placesOf(target) });
  });
  const letGo = () => held.delete(areaIn(page));
  document.addEventListener('pointerdown', letGo, { capture: true });
  document.addEventListener('keydown', ({ key }) => key === 'Tab' && letGo(), { capture: true });
  new MutationObserver(() => {
    const kept = held.get(areaIn(page));
    const active = document.activeElement;
    if (kept && (active === document.body || active === kept.around)) restore(kept);
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled', 'data-loading'] });
}

/** An element that has the focus, and its place in each of its ancestors, from the inside out. */
interface Held {
  element: HTMLElement;
  places: { parent: HTMLElement; index: number }[];
  /** What has the focus instead, while the element is disabled. */
  around?: HTMLElement;
}

const DIALOG = '[role=dialog]';
const areaIn = (page: HTMLElement): Element => document.querySelector(DIALOG) ?? page;

function placesOf(element: HTMLElement): Held['places'] {
  const parent = element.parentElement;
  if (!parent) return [];
  return [{ parent, index: Array.prototype.indexOf.call(parent.children, element) }, ...placesOf(parent)];
}

function restore(held: Held): void {
  const { element, places, around } = held;
  if (!element.isConnected) {
    if (!around?.isConnected)
      places.some(
        ({ parent, index }) => parent.isConnected && parent !== document.body && focusOn(inPlace(parent, index)),
      );
  } else if (!element.matches(':disabled')) {
    element.focus();
  } else if (!around && element.matches('button:not([data-loading])') && element.parentElement) {
    held.around = element.parentElement;
    focusOn(held.around);
  }
}

/** Returns what is at this place of an element, or next to it; the element itself where that would be a control. */
function inPlace(parent: HTMLElement, index: number): HTMLElement {
  const place = parent.children[index] ?? lastIn(parent);
  return place instanceof HTMLElement && !place.matches('button, a, input, select, textarea') ? place : parent;
}

/** Returns the last child, or the last row of a table or list that is the last child. */
function lastIn(parent: Element): Element | null {
  const last = parent.lastElementChild;
  return last?.matches('table, tbody, ul, ol') ? lastIn(last) : last;
}

/** Focuses an element that is no control, until the focus leaves it. Returns false when it cannot have it. */
function focusOn(element: HTMLElement): boolean {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
