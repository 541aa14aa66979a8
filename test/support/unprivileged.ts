const NOBODY = 65_534;

/** Does some work without the rights of root, who may read every file. Other users have no such rights. */
export async function unprivileged<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
