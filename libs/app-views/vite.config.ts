import { defineConfig } from 'vite';
import { oneFile } from './one-file.ts';

export default defineConfig({
  plugins: [oneFile()],
  build: { target: 'es2022', modulePreload: false, rolldownOptions: { input: 'run.html' } },
});
