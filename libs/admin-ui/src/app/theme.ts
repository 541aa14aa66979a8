import { Badge, createTheme, type CSSVariablesResolver, Modal } from '@mantine/core';

/**
 * A browser takes a second for thousands of options; typing finds the others. No `extend` of these components, which would load
 * them with the first page.
 */
const FEW_OPTIONS = { defaultProps: { limit: 100 } };

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    Autocomplete: FEW_OPTIONS,
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none', flex: 'none' } }),
    Modal: Modal.extend({ styles: { title: { fontWeight: 650 } } }),
    Select: FEW_OPTIONS,
    TagsInput: FEW_OPTIONS,
  },
});

/** Replaces Mantine's shades for secondary text, whose contrast is too low for WCAG AA. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {
    // Background of the white text of badges.
    '--mantine-color-gray-filled': 'var(--mantine-color-gray-7)',
    '--mantine-color-teal-filled': 'var(--mantine-color-teal-9)',
    '--mantine-color-orange-filled': '#bf4206',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  },
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    // Titles of notices, on the light shade of the same color.
    '--mantine-color-teal-light-color': '#06694b',
    '--mantine-color-orange-light-color': '#a33505',
    '--mantine-color-red-light-color': '#b02121',
    '--mantine-color-yellow-light-color': '#664d00',
    '--app-surface': 'var(--mantine-color-gray-0)',
    '--app-good': 'var(--mantine-color-teal-9)',
    '--app-bad': 'var(--mantine-color-red-9)',
    '--app-mark': 'var(--mantine-color-yellow-2)',
    '--app-series-1': 'var(--mantine-color-indigo-7)',
    '--app-series-2': 'var(--mantine-color-orange-9)',
    '--app-error-series': 'var(--mantine-color-red-7)',
    '--app-line': 'rgb(0 0 0 / 4%)',
    '--app-selection': 'var(--mantine-color-indigo-1)',
    '--app-added': '#d8f5e3',
    '--app-removed': '#ffe3e3',
    '--app-code-key': 'var(--mantine-color-indigo-8)',
    '--app-code-text': '#2b6a3e',
    '--app-code-value': '#9c4a00',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-5)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-5)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-orange-light': 'rgb(255 146 43 / 15%)',
    '--mantine-color-red-light': 'rgb(255 107 107 / 15%)',
    '--mantine-color-teal-light': 'rgb(32 201 151 / 15%)',
    '--mantine-color-blue-light': 'rgb(77 171 247 / 15%)',
    '--app-surface': 'var(--mantine-color-dark-8)',
    '--app-good': 'var(--mantine-color-teal-4)',
    '--app-bad': 'var(--mantine-color-red-4)',
    '--app-mark': '#5c4400',
    '--app-series-1': 'var(--mantine-color-indigo-4)',
    '--app-series-2': 'var(--mantine-color-orange-4)',
    '--app-error-series': 'var(--mantine-color-red-5)',
    '--app-line': 'rgb(255 255 255 / 5%)',
    '--app-selection': '#2f3b66',
    '--app-added': '#16402c',
    '--app-removed': '#4d2226',
    '--app-code-key': 'var(--mantine-color-indigo-2)',
    '--app-code-text': '#a9dbb5',
    '--app-code-value': '#ffc078',
  },
});
