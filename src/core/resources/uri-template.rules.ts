/**
 * Expands a template (RFC 6570, level 1) without encoding the values. Variables after `variable` without a value become empty.
 * Returns null when a variable before it has no value.
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
