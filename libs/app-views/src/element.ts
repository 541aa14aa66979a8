type Child = Node | string | null;
type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'dataset' | 'style'>
> & { dataset?: Record<string, string> };

/** Creates an element. Texts become text nodes, so they are never parsed as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { dataset = {}, ...properties }: Properties<Tag> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  Object.assign(made.dataset, dataset);
  made.append(...children.filter((child) => child !== null));
  return made;
}
