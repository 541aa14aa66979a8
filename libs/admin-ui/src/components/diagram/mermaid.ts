import script from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';

interface Mermaid {
  initialize(config: Record<string, unknown>): void;
  render(id: string, text: string): Promise<{ svg: string }>;
}

declare global {
  var mermaid: Mermaid | undefined;
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const FLOWCHART = {
  htmlLabels: false,
  curve: 'basis',
  wrappingWidth: 260,
  minNodeWidth: 40,
  nodeSpacing: 36,
  rankSpacing: 36,
  padding: 10,
  // Room for the two lines of a title: name and kind.
  subGraphTitleMargin: { top: 4, bottom: 22 },
};
/** Mermaid computes further colors from these, so they cannot be CSS variables of the theme. */
const COLORS = {
  light: {
    primaryColor: '#f1f3f5',
    primaryBorderColor: '#868e96',
    primaryTextColor: '#212529',
    lineColor: '#495057',
    clusterBkg: '#f8f9fa',
    clusterBorder: '#ced4da',
    edgeLabelBackground: '#ffffff',
  },
  dark: {
    primaryColor: '#343a40',
    primaryBorderColor: '#868e96',
    primaryTextColor: '#e9ecef',
    lineColor: '#adb5bd',
    clusterBkg: '#25262b',
    clusterBorder: '#495057',
    edgeLabelBackground: '#242424',
  },
};

let loading: Promise<Mermaid> | null = null;
let drawings = 0;

/** Draws a diagram as SVG. Mermaid is loaded for the first one. @throws Error when the text is not a valid diagram */
export async function drawDiagram(text: string, scheme: 'light' | 'dark'): Promise<string> {
  loading ??= load();
  const mermaid = await loading;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    htmlLabels: false,
    look: 'classic',
    flowchart: FLOWCHART,
    theme: 'base',
    darkMode: scheme === 'dark',
    fontFamily: FONT,
    themeVariables: { ...COLORS[scheme], fontSize: '14px' },
  });
  drawings += 1;
  const { svg } = await mermaid.render(`diagram-${drawings}`, text);
  return svg;
}

function load(): Promise<Mermaid> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = script;
    element.addEventListener('load', () =>
      globalThis.mermaid ? resolve(globalThis.mermaid) : reject(new Error('Mermaid did not start')),
    );
    element.addEventListener('error', () => {
      loading = null;
      reject(new Error('The diagram library could not be loaded: reload the page.'));
    });
    document.head.append(element);
  });
}
