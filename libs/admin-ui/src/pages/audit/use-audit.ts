import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import type { AuditFilter } from './audit-filter';

export type Verification = Schemas['VerificationView'];

const AUDIT_KEY = 'audit';
const PAGE_SIZE = 50;

export function useAudit(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: [AUDIT_KEY, 'list', filter],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(api.GET('/admin/api/audit', { params: { query: { ...filter, limit: PAGE_SIZE, cursor } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function useAuditEntry(seq: number) {
  return useQuery({
    queryKey: [AUDIT_KEY, 'one', seq],
    queryFn: () => bodyOf(api.GET('/admin/api/audit/{seq}', { params: { path: { seq } } })),
  });
}

/** Verifies the whole chain, in parts. */
export function useVerify() {
  return useMutation({
    mutationFn: async (onProgress: (checked: number) => void): Promise<Verification> => {
      let [after, checked] = [0, 0];
      for (;;) {
        const part = await bodyOf(api.GET('/admin/api/audit/verify', { params: { query: { after } } }));
        checked += part.checked;
        if (part.isComplete) return { ...part, checked };
        onProgress(checked);
        after = part.last.seq;
      }
    },
  });
}
