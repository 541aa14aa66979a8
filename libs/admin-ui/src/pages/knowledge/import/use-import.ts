import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChosenFile } from '../../../components/chosen-files';
import { KNOWLEDGE_KEY } from '../use-knowledge';
import { commonFolder, named } from './import-paths';
import { type FileToSend, type ImportedFile, importFiles, preview, type PreviewedFile } from './import-requests';

/** The preview of an import, for confirmation. */
export interface Plan {
  chosen: readonly ChosenFile[];
  /** The name under which the files are imported: that of their folder, or empty. */
  name: string;
  previewed: readonly PreviewedFile[];
}

/** Imports files in two steps: preview, then import. */
export function useImport() {
  const queries = useQueryClient();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const [plan, setPlan] = useState<Plan | null>(null);
  const advance = (total: number) => (done: number) => setProgress({ done, total });

  const compare = useMutation({
    mutationFn: async ({ chosen, name }: Pick<Plan, 'chosen' | 'name'>) => {
      const previewed = await preview(named(chosen, name), advance(chosen.length));
      setPlan({ chosen, name, previewed });
    },
  });
  const carryOut = useMutation({
    mutationFn: async ({ chosen, name, previewed }: Plan) => {
      const wanted = filesToSend(named(chosen, name), previewed);
      const files = new Set(wanted.map(({ path }) => path));
      const results = await importFiles(wanted, advance(wanted.length));
      setPlan(null);
      return [...results, ...previewed.filter(({ file }) => !files.has(file))] as ImportedFile[];
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KNOWLEDGE_KEY }),
  });
  return {
    plan,
    progress,
    isComparing: compare.isPending,
    isImporting: carryOut.isPending,
    error: compare.error ?? carryOut.error,
    results: carryOut.data,
    choose: (chosen: readonly ChosenFile[]) => {
      carryOut.reset();
      setPlan(null);
      if (chosen.length > 0) compare.mutate({ chosen, name: commonFolder(chosen) ?? '' });
    },
    rename: (name: string) => plan && compare.mutate({ chosen: plan.chosen, name }),
    carryOut: () => plan && carryOut.mutate(plan),
    close: () => {
      setPlan(null);
      carryOut.reset();
    },
  };
}

/** Returns the files that would change something, with the version of what each replaces. */
function filesToSend(files: readonly ChosenFile[], previewed: readonly PreviewedFile[]): FileToSend[] {
  return files.flatMap((file) => {
    const results = previewed.filter((result) => result.file === file.path);
    if (!results.some(({ outcome }) => outcome === 'created' || outcome === 'updated')) return [];
    const own = results.find(({ path }) => path === file.path);
    // Documents of an export have their own versions.
    return [{ ...file, version: own ? (own.present?.version ?? 0) : null }];
  });
}
