/** The state of a task in a diagram. */
export type NodeState = 'running' | 'waiting' | 'asking' | 'completed' | 'failed' | 'cancelled';

type Styles = Record<NodeState, string>;

const STYLES: Record<'light' | 'dark', Styles> = {
  light: {
    running: 'fill:#dbe4ff,stroke:#364fc7,stroke-width:3px,color:#1b2a6b',
    waiting: 'fill:#fff3bf,stroke:#8f5b00,stroke-dasharray:5 4,color:#5c3c00',
    asking: 'fill:#ffe8cc,stroke:#a33505,stroke-width:3px,color:#6b2303',
    completed: 'fill:#d3f9d8,stroke:#2b8a3e,color:#12491d',
    failed: 'fill:#ffe3e3,stroke:#b02121,stroke-width:3px,color:#6b1111',
    cancelled: 'fill:#e9ecef,stroke:#495057,stroke-dasharray:2 3,color:#343a40',
  },
  dark: {
    running: 'fill:#263674,stroke:#91a7ff,stroke-width:3px,color:#edf2ff',
    waiting: 'fill:#4f3d00,stroke:#ffd43b,stroke-dasharray:5 4,color:#fff3bf',
    asking: 'fill:#5c2c0a,stroke:#ffa94d,stroke-width:3px,color:#ffe8cc',
    completed: 'fill:#12402a,stroke:#51cf66,color:#d3f9d8',
    failed: 'fill:#571d22,stroke:#ff8787,stroke-width:3px,color:#ffe3e3',
    cancelled: 'fill:#373a40,stroke:#909296,stroke-dasharray:2 3,color:#dee2e6',
  },
};

/** Adds styles to the nodes of a Mermaid flowchart, by node. */
export function withStates(
  flowchart: string,
  states: Readonly<Record<string, NodeState>>,
  scheme: 'light' | 'dark',
): string {
  const nodes = Object.entries(states).filter(([node]) => /^\w+$/.test(node));
  const used = [...new Set(nodes.map(([, state]) => state))];
  return [
    flowchart.trimEnd(),
    ...used.map((state) => `classDef ${state} ${STYLES[scheme][state]}`),
    ...nodes.map(([node, state]) => `class ${node} ${state}`),
  ].join('\n');
}
