/**
 * Keeps the focus where somebody works by keyboard or screen reader. Browsers drop it when its element is disabled, as a button
 * is during its request, or removed, as with a deleted row. It returns to the element when that is enabled again, and from a
 * removed one to what took its place.
 */
export function keepFocus(page: HTMLElement): void {
  // One of the page, and one of a dialog over it: the page gets its own back when the dialog is gone.
  const held = new WeakMap<Element, Held>();
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const area = page.contains(target) ? page : target.closest(DIALOG);
    if (area) held.set(area, { element: target, places: placesOf(target) });
  });
  const letGo = () => held.delete(areaIn(page));
  document.addEventListener('pointerdown', letGo, { capture: true });
  document.addEventListener('keydown', ({ key }) => key === 'Tab' && letGo(), { capture: true });
  new MutationObserver(() => {
    const lost = document.activeElement === document.body && held.get(areaIn(page));
    if (lost) restore(lost);
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}

/** An element that has the focus, and its place in each of its ancestors, from the inside out. */
interface Held {
  element: HTMLElement;
  places: { parent: HTMLElement; index: number }[];
}

const DIALOG = '[role=dialog]';
const areaIn = (page: HTMLElement): Element => document.querySelector(DIALOG) ?? page;

function placesOf(element: HTMLElement): Held['places'] {
  const parent = element.parentElement;
  if (!parent) return [];
  return [{ parent, index: Array.prototype.indexOf.call(parent.children, element) }, ...placesOf(parent)];
}

function restore({ element, places }: Held): void {
  if (element.isConnected) {
    if (!element.matches(':disabled')) element.focus();
    return;
  }
  places.some(({ parent, index }) => parent.isConnected && parent !== document.body && focusOn(inPlace(parent, index)));
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
