import { parse } from 'yaml';
import { diagramOf, nodeIdOf } from './diagram.js';
import { parseWorkflow } from './parse-workflow.js';
import { EVERYTHING, HEAD } from './testing.js';

async function diagram(tasks: string): Promise<string[]> {
  const { definition, problems } = await parseWorkflow(`${HEAD}do:\n${tasks}`, { knowsFunction: () => true });
  if (!definition) throw new Error(JSON.stringify(problems));
  return diagramOf(definition)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

describe('nodeIdOf', () => {
  it('gives each task an id of its own that Mermaid accepts', () => {
    const pointers = [
      '/do/0/a',
      '/do/0/a_b',
      '/do/0/a-b',
      '/do/0/a/do/0/b',
      '/do/0/aZ5fZb',
      '/do/0/ä',
      '/do/0/end',
      '/do/0/😀',
    ];
    const ids = pointers.map(nodeIdOf);
    expect(new Set(ids).size).toBe(pointers.length);
    expect(ids.filter((id) => !/^t[0-9A-Za-z_]+$/.test(id))).toEqual([]);
    expect(ids[0]).toBe('t_do_0_a');
  });
});

describe('diagramOf', () => {
  it('says how long, or until when, a task waits', async () => {
    const tasks = "  - one: { wait: { hours: 2 } }\n  - two: { wait: { until: '2027-01-01T00:00:00Z' } }\n";
    const lines = await diagram(tasks);
    expect(lines.filter((line) => line.includes('wait'))).toEqual([
      't_do_0_one(["one<br/>wait 2 hours"])',
      't_do_1_two(["two<br/>wait until 2027-01-01T00:00:00Z"])',
    ]);
  });

  it('draws tasks in their order, from the start to the end', async () => {
    expect(await diagram('  - one: { set: { a: 1 } }\n  - two: { wait: PT5M, if: .a }\n')).toEqual([
      'flowchart TD',
      'start((start))',
      'finish((end))',
      't_do_0_one["one<br/>set"]',
      't_do_1_two(["two<br/>wait PT5M<br/>if ..."])',
      'start --> t_do_0_one',
      't_do_0_one --> t_do_1_two',
      't_do_1_two --> finish',
    ]);
  });

  it('labels the edges of a switch with the names of its cases, and follows then', async () => {
    const lines = await diagram(
      '  - decide: { switch: [{ big: { when: .a > 1, then: two } }, { small: { when: .a, then: end } }] }\n' +
        '  - one: { call: hello, then: exit }\n  - two: { call: http, with: { method: get, endpoint: "https://a.example" }, then: one }\n',
    );
    expect(lines.slice(3)).toEqual([
      't_do_0_decide{"decide<br/>switch"}',
      't_do_1_one["one<br/>call hello"]',
      't_do_2_two["two<br/>call http"]',
      'start --> t_do_0_decide',
      't_do_0_decide -->|"big"| t_do_2_two',
      't_do_0_decide -->|"small"| finish',
      't_do_0_decide -->|"otherwise"| t_do_1_one',
      't_do_1_one --> finish',
      't_do_2_two --> t_do_1_one',
    ]);
  });

  it('draws loops, branches and catches as boxes with their tasks inside', async () => {
    const lines = await diagram(
      '  - each: { for: { in: .a }, do: [{ b: { wait: PT1S } }, { c: { wait: PT1S } }] }\n' +
        '  - both: { fork: { branches: [{ d: { wait: PT1S } }, { e: { wait: PT1S } }] } }\n' +
        '  - risky: { try: [{ f: { call: x } }], catch: { do: [{ g: { raise: { error: { type: "https://a", status: 500 } } } }] } }\n',
    );
    expect(lines.slice(3)).toEqual([
      'subgraph t_do_0_each["each<br/>for each item"]',
      't_do_0_each_do_0_b(["b<br/>wait PT1S"])',
      't_do_0_each_do_1_c(["c<br/>wait PT1S"])',
      'end',
      'subgraph t_do_1_both["both<br/>fork"]',
      't_do_1_both_fork_branches_0_d(["d<br/>wait PT1S"])',
      't_do_1_both_fork_branches_1_e(["e<br/>wait PT1S"])',
      'end',
      'subgraph t_do_2_risky["risky<br/>try"]',
      't_do_2_risky_try_0_f["f<br/>call x"]',
      't_do_2_risky_catch_do_0_g{{"g<br/>raise"}}',
      'end',
      'start --> t_do_0_each',
      't_do_0_each_do_0_b --> t_do_0_each_do_1_c',
      't_do_0_each --> t_do_1_both',
      't_do_1_both --> t_do_2_risky',
      't_do_2_risky_try_0_f -.->|"on error"| t_do_2_risky_catch_do_0_g',
      't_do_2_risky --> finish',
    ]);
  });

  it('escapes names, whatever is in them', async () => {
    const name = '"]; click x "javascript:alert(1)" <b>%% end';
    const lines = await diagram(`  - ${JSON.stringify(name)}: { set: { a: 1 } }\n`);
    const drawn = lines.find((line) => line.includes('set')) ?? '';
    expect(drawn).toContain('#34;#93;#59; click x #34;javascript:alert#40;1#41;#34; #60;b#62;#37;#37; end<br/>set');
    expect(drawn.replace(/<br\/>/g, '')).not.toMatch(/["\]<>;]{3}|<b>/);
    expect(lines).toHaveLength(6);
  });

  it('draws every task of a large workflow, each id declared before it is used', async () => {
    const { definition } = await parseWorkflow(EVERYTHING, { knowsFunction: () => true });
    if (!definition) throw new Error('not valid');
    expect((parse(EVERYTHING) as { do: unknown[] }).do).toHaveLength(definition.do.length);
    const text = diagramOf(definition);
    const declared = new Set([...text.matchAll(/^\s*(?:subgraph )?(\w+)[[({>]/gm)].map(([, id]) => id));
    const used = [...text.matchAll(/(\w+) -\.?->(?:\|[^|]*\|)? (\w+)/g)].flatMap(([, from, to]) => [from, to]);
    expect(used.filter((id) => !declared.has(id))).toEqual([]);
    expect(used.length).toBeGreaterThan(30);
  });
});
