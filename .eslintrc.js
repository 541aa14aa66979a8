import { createRequire } from 'node:module';

// ESLint and what belongs to it are installed in tools.
const fromTools = createRequire(new URL('./tools/package.json', import.meta.url));
const eslint = fromTools('@eslint/js');
const { defineConfig, globalIgnores } = fromTools('eslint/config');
const reactHooks = fromTools('eslint-plugin-react-hooks');
const tseslint = fromTools('typescript-eslint');

export default defineConfig(
  globalIgnores(['dist/', 'data/', 'coverage/', 'release/', '.mutation/', 'libs/*/dist/']),
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'libs/**/*.ts'],
    ignores: ['libs/admin-ui/**', 'libs/app-views/**', '**/*.spec.ts', '**/testing.ts'],
    rules: {
      // Every promise has an owner: one that is not awaited says what happens when it fails.
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
    },
  },
  { files: ['libs/admin-ui/**'], extends: [reactHooks.configs.flat.recommended] },
  { files: ['libs/no-phone-numbers/**'], languageOptions: { sourceType: 'commonjs' } },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        setInterval: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
      },
    },
  },
);
