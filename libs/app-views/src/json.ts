export type Json = Record<string, unknown>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textAt = (value: Json, name: string): string | null => {
  const text = value[name];
  return typeof text === 'string' ? text : null;
};

export const listAt = (value: Json, name: string): Json[] => {
  const list = value[name];
  return Array.isArray(list) ? list.filter(isJson) : [];
};
