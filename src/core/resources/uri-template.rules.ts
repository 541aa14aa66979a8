/**
 * Puts values into a template (RFC 6570, level 1), as they are. Variables after `variable` that have no value are left
 * empty. Returns null when one before it has none.
 */
export function expandTemplate(
  template: string,
  variable: string,
  values: Readonly<Record<string, string>>,
): string | null {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const before = names.slice(0, Math.max(0, names.indexOf(variable)));
  const valueOf = (name: string): string => (Object.hasOwn(values, name) ? (values[name] ?? '') : '');
  if (before.some((name) => valueOf(name) === '')) return null;
  return template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => valueOf(name));
}
