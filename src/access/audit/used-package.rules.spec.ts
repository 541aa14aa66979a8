import type { AuditEntry } from './audit-entry.js';
import { packageUsedBy } from './used-package.rules.js';

const entry = (about: Partial<AuditEntry>): AuditEntry => ({
  ...{ kind: 'call', at: new Date(0), action: 'x', outcome: 'ok' },
  ...about,
});

describe('packageUsedBy', () => {
  it.each<[string, Partial<AuditEntry>, string | null]>([
    ['a tool that reads it', { subject: 'skill_read', arguments: { name: 'release' } }, 'release'],
    ['a tool that fails', { subject: 'skill_read', arguments: { name: 'release' }, outcome: 'error' }, null],
    ['a name that none can have', { subject: 'skill_read', arguments: { name: 'Release!' } }, null],
    ['no arguments', { subject: 'skill_read' }, null],
    ['a search', { subject: 'skill_find', arguments: { name: 'release' } }, null],
    ['a resource', { kind: 'read', subject: 'skill://release/references/A.md' }, 'release'],
    ['a resource in capitals', { kind: 'read', subject: 'SKILL://Release/SKILL.md' }, 'release'],
    ['a resource that is refused', { kind: 'read', subject: 'skill://release/SKILL.md', outcome: 'denied' }, null],
    ['another resource', { kind: 'read', subject: 'knowledge://skill://release/' }, null],
    ['a prompt', { kind: 'prompt', subject: 'release', resource: 'skill://release/SKILL.md' }, 'release'],
    ['another prompt', { kind: 'prompt', subject: 'release' }, null],
    ['a change', { kind: 'change', subject: 'skill://release/SKILL.md' }, null],
  ])('knows %s', (_title, about, name) => expect(packageUsedBy(entry(about))).toBe(name));
});
