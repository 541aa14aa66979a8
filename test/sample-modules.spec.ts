import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { callSkill, loadModule, stopTrials } from '../src/features/modules/trial/call-skill.js';
import type { TrialOptions } from '../src/features/modules/trial/skill-test.js';

const SAMPLES = resolve('samples/modules');
const FILES = readdirSync(SAMPLES).filter((file) => file.endsWith('.ts'));
const textOf = ({ content: [first] }: Awaited<ReturnType<typeof callSkill>>) =>
  first?.type === 'text' ? first.text : '';

describe('the sample modules', () => {
  afterAll(() => stopTrials());

  const call = (file: string, args: object, options?: TrialOptions) =>
    callSkill(join(SAMPLES, file), { ...args }, options);

  it('are all in the overview, with their tools, and can be loaded', async () => {
    const overview = readFileSync('samples/modules/README.md', 'utf8');
    for (const file of FILES) {
      const { skills } = await loadModule(join(SAMPLES, file));
      for (const name of [file, ...skills.map((one) => one.name)]) expect(overview).toContain(`\`${name}\``);
      for (const { description } of skills) expect(description).toMatch(/^Use this (?:to|for) /);
    }
  });

  describe('calculate', () => {
    const calculate = (expression: string, more: object = {}, now?: Date) =>
      call('calculate.ts', { expression, ...more }, now && { now });

    it.each([
      ['0.1 + 0.2', '0.3'],
      ['1/3 + 1/3 + 1/3', '1'],
      ['-2 ^ 2', '-4'],
      ['2 ^ -2', '0.25'],
      ['2 ^ 3 ^ 2', '512'],
      ['(1 + 2) * 3 - 4 / 8', '8.5'],
      ['19% of 249.90', '47.481'],
      ['-7 mod 3', '2'],
      ['1e3 + .5', '1000.5'],
      ['round(2.675, 2)', '2.68'],
      ['round(-2.5)', '-3'],
      ['max(1, 3, 2) - min(4, 2)', '1'],
      ['sqrt(2.25)', '1.5'],
      ['abs(-12)', '12'],
      ['99999999999999999999 * 99999999999999999999', '9999999999999999999800000000000000000001'],
      ['5 km + 200 m', '5.2 km'],
      ['5 miles in km', '8.04672 km'],
      ['(3 h + 20 min) * 4 in h', '13.333333333333 h'],
      ['90 min / 30 min', '3'],
      ['1 GiB in MB', '1073.741824 MB'],
      ['20 C in F', '68 F'],
      ['-40 F in C', '-40 C'],
      ['2026-03-01 - 2026-01-15', '45 days'],
      ['(2026-03-01 - 2026-01-15) in weeks', '6.428571428571 weeks'],
      ['2024-01-31 + 1 month', '2024-02-29'],
      ['2026-12-24 - 2 weeks', '2026-12-10'],
      ['2024-02-29 + 1 year', '2025-02-28'],
      ['45 days + 2026-01-15', '2026-03-01'],
    ])('says what %s is', async (expression, result) => {
      const exact = !['13.333333333333 h', '6.428571428571 weeks'].includes(result);
      expect((await calculate(expression)).structuredContent).toEqual({ result, exact });
    });

    it('knows what day it is, and rounds where it is told to', async () => {
      const now = new Date('2026-11-26T23:00:00Z');
      expect((await calculate('today + 1 week', {}, now)).structuredContent).toMatchObject({ result: '2026-12-03' });
      expect((await calculate('10 / 3', { places: 2 })).structuredContent).toEqual({ result: '3.33', exact: false });
      expect((await calculate('sqrt(2)')).structuredContent).toEqual({ result: '1.414213562373', exact: false });
    });

    it.each([
      ['1 / 0', 'divides by zero'],
      ['2 +', 'ends too early'],
      ['2 + * 3', '"*" is no number'],
      ['(1 + 2', '")" is missing'],
      ['1 2', '"2" was not expected'],
      ['5 km + 3 kg', 'An amount of length and An amount of mass cannot be added'],
      ['5 km in kg', 'An amount of length cannot be given in kg'],
      ['5 km in parsecs', '"parsecs" is no unit'],
      ['process.exit()', '"." is not understood'],
      ['exit()', '"exit" is no number'],
      ['2026-02-30 + 1 day', 'There is no day 2026-02-30'],
      ['2026-01-01 + 1.5 days', 'whole days'],
      ['2026-01-01 + 2026-01-01', 'Two dates cannot be added'],
      ['9999-12-31 + 1 day', 'outside of the years'],
      ['9 ^ 999999', 'more than 2000 digits'],
      ['((9 ^ 1000) ^ 1000) ^ 1000', 'more than 2000 digits'],
      ['1e9999', 'too large'],
      ['sqrt(-1)', 'no root'],
      ['2 $ 3', '"$" is not understood'],
      ['('.repeat(400), 'nested too deep'],
      ['-'.repeat(400), 'nested too deep'],
    ])('says what is wrong with %s', async (expression, problem) => {
      const failed = await calculate(expression);
      expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringContaining(problem)]);
      expect(textOf(failed)).toMatch(/ \(at character \d+\)$/);
    });
  });

  describe('web_page', () => {
    const url = 'https://nodejs.org/en/about';
    const read = (html: string, args: object = {}) =>
      call(
        'web_page.ts',
        { url, ...args },
        {
          fetch: () => new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
        },
      );

    it('reads the text of a page as Markdown, and leaves out what is around it', async () => {
      const { structuredContent } =
        await read(`<!doctype html><html><head><title>About &amp; more</title><style>p{}</style>
        <script>if (a<b) document.write("</p><h1>no</h1>")</script></head><body><nav><a href="/">Home</a></nav><!-- <p>no</p> -->
        <h1>About</h1><p>As an <b>asynchronous</b> runtime, see <a href='../docs?a=1&amp;b=2'>the docs</a>&nbsp;&#8212; or
        <a href="javascript:alert(1)">this</a>.</p><ul><li>One</li><li>Two &lt;3</li></ul>
        <pre><code>a  =  1\n  b</code></pre><p>Use <code>npm ci</code>.</p><footer>no</footer></body></html>`);
      expect(structuredContent).toEqual({
        title: 'About & more',
        truncated: false,
        markdown:
          '# About\n\nAs an asynchronous runtime, see [the docs](https://nodejs.org/docs?a=1&b=2) — or this.\n\n' +
          '- One\n- Two <3\n\n```\na  =  1\n  b\n```\n\nUse `npm ci`.',
      });
    });

    it('returns as much as is wanted, of broken pages, too', async () => {
      expect((await read(`<p>${'word '.repeat(100)}`, { max_characters: 100 })).structuredContent).toMatchObject({
        markdown: 'word '.repeat(20),
        truncated: true,
      });
      expect((await read('<p>a <b c="d<p>e</p><')).structuredContent).toMatchObject({ truncated: false });
    });

    it('reads no other sites, and nothing that is no text', async () => {
      expect(textOf(await call('web_page.ts', { url: 'https://other.example/' }))).toContain('add it to uses.hosts');
      const fetch = () => new Response('x', { headers: { 'content-type': 'image/png' } });
      expect(textOf(await call('web_page.ts', { url }, { fetch }))).toContain('no text, but image/png');
      expect(textOf(await call('web_page.ts', { url }, { fetch: () => new Response('', { status: 404 }) }))).toContain(
        '404',
      );
    });
  });

  describe('github_issue', () => {
    const secrets = { github: 'token' };
    const issue = {
      number: 7,
      title: 'Crash',
      state: 'open',
      html_url: 'https://github.com/a/b/issues/7',
      body: 'It crashes.',
      labels: [{ name: 'bug' }],
    };
    const shown = { number: 7, title: 'Crash', state: 'open', url: issue.html_url, labels: ['bug'] };
    const repository = 'a/b';

    it('lists and reads issues', async () => {
      const asked: string[] = [];
      const fetch = ({ url, headers }: Request) => {
        asked.push(`${headers.get('authorization')} ${new URL(url).searchParams.get('q')}`);
        return { items: [issue], total_count: 1 };
      };
      const listed = await call(
        'github_issue.ts',
        { repository, words: 'crash' },
        { skill: 'github_issues', fetch, secrets },
      );
      expect(listed.structuredContent).toEqual({ issues: [shown], total: 1 });
      expect(asked).toEqual(['Bearer token repo:a/b is:issue is:open crash']);
      const options = {
        skill: 'github_issue_read',
        fetch: { 'https://api.github.com/repos/a/b/issues/7': issue },
        secrets,
      };
      const read = await call('github_issue.ts', { repository, number: 7 }, options);
      expect(read.structuredContent).toEqual({ ...shown, body: 'It crashes.', truncated: false });
    });

    it('opens one when the person agrees, or need not be asked', async () => {
      const sent: unknown[] = [];
      const fetch = async (request: Request) => {
        sent.push([request.method, await request.json()]);
        return issue;
      };
      const open = (options: TrialOptions) =>
        call(
          'github_issue.ts',
          { repository, title: 'Crash' },
          { skill: 'github_issue_open', fetch, secrets, ...options },
        );
      expect(Object.keys((await open({})).questions ?? {})).toEqual(['open']);
      expect(textOf(await open({ answers: { open: null } }))).toContain('does not want');
      expect(sent).toEqual([]);
      expect((await open({ answers: { open: {} } })).structuredContent).toEqual(shown);
      expect((await open({ settings: { asks_first: false } })).structuredContent).toEqual(shown);
      expect(sent).toEqual(Array(2).fill(['POST', { title: 'Crash', body: '', labels: [] }]));
    });

    it('says what GitHub refuses, and takes no other path for a repository', async () => {
      const fetch = () => Response.json({ message: 'Not Found' }, { status: 404 });
      const options = { skill: 'github_issue_read', fetch, secrets };
      expect(textOf(await call('github_issue.ts', { repository, number: 7 }, options))).toContain(
        '404 Not Found: there is none',
      );
      const elsewhere = await call('github_issue.ts', { repository: '../../user', number: 7 }, options);
      expect([elsewhere.isError, textOf(elsewhere)]).toEqual([true, expect.stringContaining('repository')]);
    });
  });
});
