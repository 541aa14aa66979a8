import type { ChosenFile } from '../../../components/chosen-files';
import { commonFolder, named } from './import-paths';

const files = (...paths: string[]): ChosenFile[] => paths.map((path) => ({ path, file: new File([], path) }));
const paths = (chosen: ChosenFile[], name: string) => named(chosen, name).map(({ path }) => path);

describe('the paths of imported files', () => {
  it('begin with the name of the folder, or what it is called instead', () => {
    const chosen = files('docs/a.md', 'docs/deep/b.md');
    expect(commonFolder(chosen)).toBe('docs');
    expect(paths(chosen, 'docs')).toEqual(['docs/a.md', 'docs/deep/b.md']);
    expect(paths(chosen, 'handbook')).toEqual(['handbook/a.md', 'handbook/deep/b.md']);
    expect(paths(chosen, '')).toEqual(['a.md', 'deep/b.md']);
  });

  it('stay as they are when files come from several folders, or from none', () => {
    const chosen = files('a/README.md', 'b/README.md', 'c.md');
    expect(commonFolder(chosen)).toBeNull();
    expect(paths(chosen, '')).toEqual(['a/README.md', 'b/README.md', 'c.md']);
    expect(paths(chosen, 'team')).toEqual(['team/a/README.md', 'team/b/README.md', 'team/c.md']);
    expect(commonFolder(files('a.md', 'b.md'))).toBeNull();
  });
});
