import { useMutation } from '@tanstack/react-query';
import { api, bodyOf, type Schemas, usePages, useRead } from '../../api/client';
import type { AuditFilter } from './audit-filter';

export type Verification = Schemas['VerificationView'];

const AUDIT_KEY = ['audit'];
const PAGE_SIZE = 50;

export const useAudit = (filter: AuditFilter) =>
  usePages(
    [...AUDIT_KEY, 'list', filter],
    (cursor) => api.GET('/admin/api/audit', { params: { query: { ...filter, limit: PAGE_SIZE, cursor } } }),
    { keepsPrevious: true },
  );

export const useAuditEntry = (seq: number) =>
  useRead([...AUDIT_KEY, 'one', seq], () => api.GET('/admin/api/audit/{seq}', { params: { path: { seq } } }));

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
