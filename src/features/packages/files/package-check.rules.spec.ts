import { createHash } from 'node:crypto';
import { checkFiles, packageOf, skillText } from '../testing.js';

const messagesOf = (folder: string | null, files: Record<string, string | Uint8Array>) =>
  checkFiles(folder, files).problems.map(({ file, line, message }) => `${file}:${line} ${message}`);
const skill = { 'SKILL.md': skillText('release') };

describe('checkPackage', () => {
  it('describes the files of a right package in their order, with type, size and digest', () => {
    const { checked, problems } = checkFiles('release', {
      ...skill,
      'references/b.md': 'b',
      'a.bin': new Uint8Array([0, 255]),
      run: '#!/bin/sh',
    });
    expect(problems).toEqual([]);
    expect(checked?.files.map(({ path, size, mimeType }) => [path, size, mimeType])).toEqual([
      ['SKILL.md', Buffer.byteLength(skill['SKILL.md']), 'text/markdown'],
      ['a.bin', 2, 'application/octet-stream'],
      ['references/b.md', 1, 'text/markdown'],
      ['run', 9, 'text/plain'],
    ]);
    expect(checked?.files[2]?.digest).toBe(`sha256:${createHash('sha256').update('b').digest('hex')}`);
  });

  it('gives a package the digest of its files, whatever their order', () => {
    const one = packageOf('release', { a: '1', b: '2' });
    expect(packageOf('release', { b: '2', a: '1' }).digest).toBe(one.digest);
    expect(packageOf('release', { a: '1', b: '3' }).digest).not.toBe(one.digest);
    expect(packageOf('release', { a: '1', c: '2' }).digest).not.toBe(one.digest);
  });

  it('takes the name of SKILL.md, and warns in its line when the folder has another', () => {
    const text = '---\ndescription: How to release.\nname: release\n---\nDo it.\n';
    expect(messagesOf('deploy', { 'SKILL.md': text })).toEqual([
      'SKILL.md:3 name is "release", but the folder is "deploy": other clients may want them to be the same',
    ]);
    expect(checkFiles('deploy', { 'SKILL.md': text }).checked?.name).toBe('release');
    expect(checkFiles(null, skill)).toMatchObject({ checked: { name: 'release' }, problems: [] });
  });

  it('knows the name of a package with mistakes', () => {
    expect(checkFiles('deploy', { 'SKILL.md': '---\nname: "release"\ndescription: [\n---\n' }).name).toBe('release');
    expect(checkFiles('deploy', { 'SKILL.md': 'Release it.' }).name).toBe('deploy');
  });

  it.each([
    ['../x', 'files must be inside'],
    ['a/../../x', 'files must be inside'],
    ['/etc/passwd', 'absolute'],
    ['C:/x', 'absolute'],
    ['a\\..\\x', 'backslash'],
    ['a//b', 'empty'],
    ['a/', 'empty'],
    ['./a', 'the part "."'],
    ['a\0b', 'control character'],
    ['a\nb', 'control character'],
    ['\ud800', 'Unicode'],
    [`${'x'.repeat(256)}`, '255'],
    [`${'é'.repeat(128)}`, '255 bytes'],
    ['docs/CON', 'Windows'],
    ['aux.tar.gz', 'Windows'],
    ['Com1 .md/x', 'Windows'],
    ['docs./a.md', 'Windows'],
    ['a.md ', 'Windows'],
    ['why?.md', 'Windows'],
    ['10:30.md', 'Windows'],
    ['skill.md/x', 'a folder with the path of the file "SKILL.md"'],
    ['x/'.repeat(501), '1000 characters'],
    ['skill.MD', 'the same file as "SKILL.md"'],
  ])('refuses the path %j', (path, part) => {
    const { checked, problems } = checkFiles('release', { ...skill, [path]: 'x' });
    expect(checked).toBeNull();
    expect(problems.map(({ message }) => message).join()).toContain(part);
  });

  it.each(['console.md', 'docs/com10', 'null', '.a', 'a b.md', 'é'.repeat(127)])('accepts the path %j', (path) => {
    expect(messagesOf('release', { ...skill, [path]: 'x' })).toEqual([]);
  });

  it('composes the accents of paths, and of links to them', () => {
    const files = { 'SKILL.md': skillText('release', '[Read](re\u0301sume\u0301.md) or [this](r%C3%A9sum%C3%A9.md).') };
    const { checked, problems } = checkFiles('release', { ...files, 're\u0301sume\u0301.md': 'x' });
    expect(problems).toEqual([]);
    expect(checked?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'r\u00e9sum\u00e9.md']);
  });

  it('refuses two paths that are one on systems that compose accents', () => {
    expect(messagesOf('release', { ...skill, 'é.md': '', 'e\u0301.md': '' })[0]).toContain('the same file as "é.md"');
  });

  it('refuses more files and more bytes than hosts take, and takes as many', () => {
    const files = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, '']));
    expect(checkFiles('release', { ...skill, ...files(511) }).checked).not.toBeNull();
    expect(messagesOf('release', { ...skill, ...files(512) })).toEqual([
      'release:1 has more than 512 files: leave out those that assistants never read',
    ]);
    const most = 16 * 1024 * 1024 - Buffer.byteLength(skill['SKILL.md']);
    expect(checkFiles('release', { ...skill, big: new Uint8Array(most) }).checked).not.toBeNull();
    expect(messagesOf('release', { ...skill, big: new Uint8Array(most + 1) })[0]).toContain('more than 16 MB');
  });

  it('names the line that is not UTF-8, and what is missing', () => {
    const latin = Buffer.from('---\nname: release\ndescription: caf\xe9\n---\n', 'latin1');
    expect(messagesOf('release', { 'SKILL.md': latin })).toEqual([
      'SKILL.md:3 has bytes that are not UTF-8: save the file as UTF-8',
    ]);
    expect(messagesOf('release', { 'skill.md': 'x' })).toEqual([
      'release:1 has skill.md, which must be named SKILL.md: rename it',
    ]);
    expect(messagesOf(null, { 'README.md': 'x' })[0]).toContain('the package:1 has no SKILL.md');
    expect(messagesOf('release', { 'SKILL.md': 'x'.repeat(300_000) })[0]).toContain('longer than 256 KB');
  });
});
