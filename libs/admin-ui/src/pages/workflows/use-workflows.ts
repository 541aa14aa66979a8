import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAfterDeletion } from '../../api/after-deletion';
import { api, basedOn, bodyOf, type Schemas } from '../../api/client';
import type { Json } from '../../mcp/json-rpc';

export type Workflow = Schemas['WorkflowView'];
export type FullWorkflow = Schemas['FullWorkflowView'];
export type WorkflowVersion = Schemas['WorkflowVersionView'];
export type BrokenFile = Schemas['WorkflowFileView'];
export type DefinitionProblem = Schemas['DefinitionProblemView'];

const WORKFLOWS_KEY = 'workflows';
const PAGE_SIZE = 30;

export function useWorkflows(search: string) {
  return useInfiniteQuery({
    queryKey: [WORKFLOWS_KEY, 'list', search],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(
        api.GET('/admin/api/workflows', { params: { query: { q: search || undefined, limit: PAGE_SIZE, cursor } } }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function useWorkflow(name: string) {
  return useQuery({
    queryKey: [WORKFLOWS_KEY, 'one', name],
    queryFn: () => bodyOf(api.GET('/admin/api/workflows/{name}', { params: { path: { name } } })),
  });
}

export function useVersions(name: string) {
  return useInfiniteQuery({
    queryKey: [WORKFLOWS_KEY, 'versions', name],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(
        api.GET('/admin/api/workflows/{name}/versions', {
          params: { path: { name }, query: { limit: PAGE_SIZE, cursor } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

export function useVersion(name: string, version: string) {
  return useQuery({
    queryKey: [WORKFLOWS_KEY, 'version', name, version],
    queryFn: () =>
      bodyOf(api.GET('/admin/api/workflows/{name}/versions/{version}', { params: { path: { name, version } } })),
  });
}

/** Validates a text, and draws it. The last result stays until the next one. */
export function useValidation(definition: string) {
  return useQuery({
    queryKey: [WORKFLOWS_KEY, 'validation', definition],
    queryFn: () => bodyOf(api.POST('/admin/api/workflows/validate', { body: { definition } })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  });
}

/** Loads the JSON Schema of workflows, for completion in the editor. */
export function useWorkflowSchema() {
  return useQuery({
    queryKey: [WORKFLOWS_KEY, 'schema'],
    queryFn: () => bodyOf(api.GET('/admin/api/workflows/schema')) as Promise<Json>,
  });
}

export function useCreateWorkflow() {
  const refresh = useRefreshWorkflows();
  return useMutation({
    mutationFn: (definition: string) =>
      bodyOf(api.POST('/admin/api/workflows', { body: { definition, makeCurrent: true } })),
    onSuccess: refresh,
  });
}

/** Saves a version of a workflow if the workflow is unchanged since it was read. */
export function useSaveWorkflow(name: string) {
  const refresh = useRefreshWorkflows();
  return useMutation({
    mutationFn: ({ definition, revision }: Pick<FullWorkflow, 'definition' | 'revision'>) => {
      const params = { path: { name }, header: basedOn(revision) };
      return bodyOf(api.PUT('/admin/api/workflows/{name}', { params, body: { definition, makeCurrent: true } }));
    },
    onSettled: refresh,
  });
}

export function useSetEnabled(name: string) {
  const refresh = useRefreshWorkflows();
  return useMutation({
    mutationFn: (enabled: boolean) =>
      bodyOf(api.PUT('/admin/api/workflows/{name}/enabled', { params: { path: { name } }, body: { enabled } })),
    onSettled: refresh,
  });
}

/** Makes another version the one that calls and schedules start. */
export function useSetCurrent(name: string) {
  const refresh = useRefreshWorkflows();
  return useMutation({
    mutationFn: (version: string) =>
      bodyOf(api.PUT('/admin/api/workflows/{name}/current', { params: { path: { name } }, body: { version } })),
    onSettled: refresh,
  });
}

export function useDeleteWorkflow(name: string) {
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/workflows/{name}', { params: { path: { name } } }),
    ...useAfterDeletion([WORKFLOWS_KEY]),
  });
}

export function useStartWorkflow(name: string) {
  return useMutation({
    mutationFn: (body: { input: Json } | { event: Json }) =>
      bodyOf(api.POST('/admin/api/workflows/{name}/start', { params: { path: { name } }, body })),
  });
}

function useRefreshWorkflows() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [WORKFLOWS_KEY] });
}
