import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { api, basedOn, bodyOf, type Schemas, useChange, useDeletion, usePages, useRead } from '../../api/client';
import type { Json } from '../../mcp/json-rpc';
import { SKILLS_KEY } from '../skills/use-skills';

export type Workflow = Schemas['WorkflowView'];
export type FullWorkflow = Schemas['FullWorkflowView'];
export type WorkflowVersion = Schemas['WorkflowVersionView'];
export type BrokenFile = Schemas['WorkflowFileView'];
export type DefinitionProblem = Schemas['DefinitionProblemView'];

const WORKFLOWS_KEY = ['workflows'];
/** The queries that may show something else after a change of a workflow. */
const CHANGED = [WORKFLOWS_KEY, SKILLS_KEY];
const PAGE_SIZE = 30;

export const useWorkflows = (search: string) =>
  usePages(
    [...WORKFLOWS_KEY, 'list', search],
    (cursor) =>
      api.GET('/admin/api/workflows', { params: { query: { q: search || undefined, limit: PAGE_SIZE, cursor } } }),
    { keepsPrevious: true },
  );

export const useWorkflow = (name: string) =>
  useRead([...WORKFLOWS_KEY, 'one', name], () =>
    api.GET('/admin/api/workflows/{name}', { params: { path: { name } } }),
  );

export const useVersions = (name: string) =>
  usePages([...WORKFLOWS_KEY, 'versions', name], (cursor) =>
    api.GET('/admin/api/workflows/{name}/versions', {
      params: { path: { name }, query: { limit: PAGE_SIZE, cursor } },
    }),
  );

export const useVersion = (name: string, version: string) =>
  useRead([...WORKFLOWS_KEY, 'version', name, version], () =>
    api.GET('/admin/api/workflows/{name}/versions/{version}', { params: { path: { name, version } } }),
  );

/** Validates a text, and draws it. The last result stays until the next one. */
export const useValidation = (definition: string) =>
  useRead(
    [...WORKFLOWS_KEY, 'validation', definition],
    () => api.POST('/admin/api/workflows/validate', { body: { definition } }),
    {
      placeholderData: keepPreviousData,
      staleTime: Infinity,
      gcTime: 60_000,
    },
  );

/** Loads the JSON Schema of workflows, for completion in the editor. */
export function useWorkflowSchema() {
  return useQuery({
    queryKey: [...WORKFLOWS_KEY, 'schema'],
    queryFn: () => bodyOf(api.GET('/admin/api/workflows/schema')) as Promise<Json>,
  });
}

export const useCreateWorkflow = () =>
  useChange(CHANGED, (definition: string) =>
    api.POST('/admin/api/workflows', { body: { definition, makeCurrent: true } }),
  );

/** Saves a version of a workflow if the workflow is unchanged since it was read. */
export const useSaveWorkflow = (name: string) =>
  useChange(CHANGED, ({ definition, revision }: Pick<FullWorkflow, 'definition' | 'revision'>) => {
    const params = { path: { name }, header: basedOn(revision) };
    return api.PUT('/admin/api/workflows/{name}', { params, body: { definition, makeCurrent: true } });
  });

export const useSetEnabled = (name: string) =>
  useChange(CHANGED, (enabled: boolean) =>
    api.PUT('/admin/api/workflows/{name}/enabled', { params: { path: { name } }, body: { enabled } }),
  );

/** Makes another version the one that calls and schedules start. */
export const useSetCurrent = (name: string) =>
  useChange(CHANGED, (version: string) =>
    api.PUT('/admin/api/workflows/{name}/current', { params: { path: { name } }, body: { version } }),
  );

export const useDeleteWorkflow = (name: string) =>
  useDeletion(CHANGED, () => api.DELETE('/admin/api/workflows/{name}', { params: { path: { name } } }));

export function useStartWorkflow(name: string) {
  return useMutation({
    mutationFn: (body: { input: Json } | { event: Json }) =>
      bodyOf(api.POST('/admin/api/workflows/{name}/start', { params: { path: { name } }, body })),
  });
}
