import type { Plugin } from 'vite';

/** Puts scripts and styles into the page, because assistants show a view as a single text. */
export function oneFile(): Plugin {
  return {
    name: 'one-file',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const inlined = new Set<string>();
      const contentOf = (path: string): string => {
        const name = path.replace(/^\//, '');
        const file = bundle[name];
        if (!file) throw new Error(`the page asks for ${path}, which is not part of the build`);
        inlined.add(name);
        return file.type === 'chunk' ? file.code : String(file.source);
      };
      for (const page of Object.values(bundle)) {
        if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue;
        page.source = String(page.source)
          .replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/g, (_tag, path: string) => {
            return `<style>${contentOf(path)}</style>`;
          })
          // The text of a script ends at the first </script.
          .replace(/<script type="module"[^>]* src="([^"]+)"><\/script>/g, (_tag, path: string) => {
            return `<script type="module">${contentOf(path).replaceAll('</script', '<\\/script')}</script>`;
          });
      }
      for (const name of inlined) delete bundle[name];
    },
  };
}
