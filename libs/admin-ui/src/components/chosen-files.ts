/** A file with its path, including the chosen or dropped folder; without a folder, only its name. */
export interface ChosenFile {
  path: string;
  file: File;
}

/** Names that are skipped in folders, as on the command line: hidden files, and packages. */
const isLeftOut = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** Returns files of a file input, which may be all files of a folder. */
export function chosenFiles(files: readonly File[]): ChosenFile[] {
  return files
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => !path.includes('/') || !path.split('/').some(isLeftOut));
}

/** Returns the dropped files, and all files in dropped folders. Call it while the event is being handled. */
export function droppedFiles(dropped: DataTransfer): Promise<ChosenFile[]> {
  const items = [...dropped.items].filter(({ kind }) => kind === 'file');
  // The browser clears the dropped items after the event.
  const entries = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = entries.map(async ({ entry, file }) =>
    entry ? filesOf(entry, '') : file ? [{ path: file.name, file }] : [],
  );
  return Promise.all(found).then((parts) => parts.flat());
}

async function filesOf(entry: FileSystemEntry, folder: string): Promise<ChosenFile[]> {
  const path = `${folder}${entry.name}`;
  if (isFile(entry)) return [{ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) }];
  if (!isFolder(entry)) return [];
  const children = (await entriesOf(entry)).filter(({ name }) => !isLeftOut(name));
  return (await Promise.all(children.map((child) => filesOf(child, `${path}/`)))).flat();
}

/** Reads a folder, which the browser returns in parts. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
