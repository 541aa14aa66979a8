import { gzipSync } from 'node:zlib';
import {
  admin,
  adminHeaders,
  callTool,
  initialize,
  inParallel,
  mcpHeaders,
  openSession,
  pause,
  rawConnection,
  send,
  STATELESS_META,
  type Target,
} from './target.js';

/** An attack that a stranger, a key holder or a publisher may try. It ends by itself. */
export interface Attack {
  readonly name: string;
  run(target: Target): Promise<void>;
}

const json = { 'content-type': 'application/json' };
const MARKS = '\u0301';
const times = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

const STRANGERS: Attack[] = [
  {
    name: '500 gzip bombs at the admin API',
    run: async (target) => {
      const body = gzipSync(Buffer.alloc(16 * 1024 * 1024, 0x20));
      const headers = { ...json, 'content-encoding': 'gzip' };
      await inParallel(500, 100, (number) =>
        send(target, `/admin/api/${number % 2 ? 'session' : 'knowledge/import'}`, { headers, body }),
      );
    },
  },
  {
    name: '40 bodies of nothing but brackets',
    run: async (target) => {
      const body = '['.repeat(1_000_000);
      await inParallel(40, 10, (number) =>
        send(target, ['/admin/api/session', '/admin/api/knowledge', '/mcp'][number % 3] ?? '/', {
          headers: json,
          body,
        }),
      );
    },
  },
  {
    name: '500 wrong passwords at once',
    run: (target) =>
      inParallel(500, 500, (number) =>
        send(target, '/admin/api/session', { headers: json, body: JSON.stringify({ password: `wrong ${number}` }) }),
      ),
  },
  {
    name: '2,000 connections that say nothing, or very little',
    run: async (target) => {
      const sockets = times(2_000).map((number) => {
        const socket = rawConnection(target);
        if (number % 2) socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le');
        return socket;
      });
      await pause(2_000);
      for (const socket of sockets) socket.destroy();
    },
  },
];

const KEY_HOLDERS: Attack[] = [
  {
    name: '100 connections x 300 pipelined reads of 200 KB that nobody reads',
    run: async (target) => {
      const saved = await callTool(target, 'knowledge_save', { title: 'Large', content: 'word '.repeat(40_000) });
      const uri = /knowledge:\/\/documents\/[^"\\\s]+/.exec(saved.text)?.[0] ?? '';
      const session = await openSession(target);
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
      const head = Object.entries({ ...session, host: '127.0.0.1', 'content-length': String(Buffer.byteLength(body)) })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      const sockets = times(100).map(() => {
        const socket = rawConnection(target).pause();
        for (let count = 0; count < 300; count++) socket.write(`POST /mcp HTTP/1.1\r\n${head}\r\n${body}`);
        return socket;
      });
      await pause(5_000);
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: 'batches of 30,000 reads and of 60,000 lists',
    run: async (target) => {
      const headers = { ...(await openSession(target)), 'mcp-protocol-version': '2025-03-26' };
      const message = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
      const reads = times(30_000).map((id) => message(id, 'resources/read', { uri: 'config://mcp.tool_timeout_ms' }));
      const lists = times(60_000).map((id) => message(id, 'tools/list', {}));
      for (const batch of [reads, lists]) await send(target, '/mcp', { headers, body: JSON.stringify(batch) });
    },
  },
  {
    name: '200 streams with a JSON-RPC id of 3 MB, and changes',
    run: async (target) => {
      const notifications = { toolsListChanged: true, resourcesListChanged: true };
      const params = { notifications, _meta: STATELESS_META };
      const method = 'subscriptions/listen';
      const body = JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(3_000_000), method, params });
      const headers = { ...mcpHeaders(target), 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
      await inParallel(200, 10, () => send(target, '/mcp', { headers, body }));
      await admin(target, 'PUT', 'skills/feed_items', { enabled: false });
      await admin(target, 'PUT', 'skills/feed_items', { enabled: true });
    },
  },
  {
    name: '8,000 subscriptions of one session',
    run: async (target) => {
      const headers = await openSession(target);
      await inParallel(8_000, 16, (id) => {
        const params = { uri: `memory://shared/key-${id}` };
        return send(target, '/mcp', {
          headers,
          body: JSON.stringify({ jsonrpc: '2.0', id, method: 'resources/subscribe', params }),
        });
      });
    },
  },
  {
    name: '55 calls with an unknown property of 3.9 MB, and the overview',
    run: async (target) => {
      await inParallel(55, 5, () => callTool(target, 'system_info', { ['x'.repeat(3_900_000)]: 1 }));
      const { text } = await admin(target, 'GET', 'overview');
      if (text.length > 1_000_000) throw new Error(`the overview has ${text.length} characters`);
    },
  },
  {
    name: '300 bodies of 4 MB that come slowly',
    run: async (target) => {
      const sockets = times(300).map(() => rawConnection(target));
      const head = Object.entries({ ...mcpHeaders(target), host: '127.0.0.1', 'content-length': '4000000' })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      for (const socket of sockets) {
        socket.resume().write(`POST /mcp HTTP/1.1\r\n${head}\r\n{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"`);
      }
      for (let round = 0; round < 38; round++) {
        for (const socket of sockets) if (!socket.destroyed) socket.write('x'.repeat(100_000));
        await pause(100);
      }
      for (const socket of sockets) socket.destroy();
    },
  },
  // Must be last: afterwards, the key has the maximum number of sessions.
  {
    name: '200 sessions with an initialize of 4 MB, 1,100 small ones, and their list',
    run: async (target) => {
      const body = initialize({ capabilities: { experimental: { x: { y: 'x'.repeat(4_000_000) } } } });
      // More than the service could hold in memory.
      await inParallel(200, 8, () => send(target, '/mcp', { headers: mcpHeaders(target), body }));
      const small = initialize({ capabilities: { experimental: { x: { y: 'x'.repeat(15_000) } } } });
      await inParallel(1_100, 8, () => send(target, '/mcp', { headers: mcpHeaders(target), body: small }));
      await admin(target, 'GET', 'sessions?limit=100');
    },
  },
];

/** Attacks by users who may write content. */
const AUTHORS: Attack[] = [
  {
    name: 'texts of 100,000 combining marks',
    run: async (target) => {
      await callTool(target, 'memory_save', { key: 'marks', content: `a${MARKS.repeat(100_000)}` });
      await callTool(target, 'knowledge_save', { title: 'Marks', content: `a${MARKS.repeat(900_000)}` });
      await callTool(target, 'memory_search', { query: `a${MARKS.repeat(500)}` });
    },
  },
  {
    name: 'headings made for regular expressions',
    run: async (target) => {
      const contents = [
        `# ${'\t'.repeat(300)}x`,
        `# ${' '.repeat(5_000)}x`,
        `# ${' #'.repeat(2_500)} x`,
        `# ${'['.repeat(900_000)}`,
        `# ${'[]('.repeat(300_000)}`,
        `# ${'#'.repeat(900_000)}x`,
        '# x\n'.repeat(240_000),
        '`'.repeat(900_000),
      ];
      for (const [number, content] of contents.entries()) {
        await callTool(target, 'knowledge_save', { title: `Headings ${number}`, content });
      }
    },
  },
  {
    name: 'searches in 40 notes of "x x x"',
    run: async (target) => {
      for (const number of times(40)) {
        await callTool(target, 'memory_save', { key: `x${number}`, content: `${number} ${'x '.repeat(45_000)}` });
      }
      await inParallel(30, 10, () => callTool(target, 'memory_search', { query: 'x', limit: 50 }));
    },
  },
  {
    name: 'HTML, Markdown and front matter made to be slow',
    run: async (target) => {
      const page = `<h1>Page</h1>${'<p>Some <b>bold</b> and <a href="/x">linked</a> text of a page.</p>\n'.repeat(14_000)}`;
      const files = [
        { path: 'bold.html', content: '<b>'.repeat(200_000) },
        { path: 'page.html', content: page },
        { path: 'lists.html', content: '<ul><li>'.repeat(100_000) },
        { path: 'tables.html', content: '<table><tr><td>'.repeat(60_000) },
        { path: 'title.html', content: '<title'.repeat(150_000) },
        { path: 'yaml.md', content: `---\na: &a [x,x,x]\n${'b: [*a,*a,*a]\n'.repeat(20_000)}---\n` },
        { path: 'deep.md', content: `---\na: ${'['.repeat(50_000)}\n---\n` },
        { path: 'dashes.md', content: '---\n'.repeat(200_000) },
      ];
      for (const file of files) await admin(target, 'POST', 'knowledge/import', { files: [file] });
    },
  },
  {
    name: 'feeds of 9 MB made to be slow',
    run: async (target) => {
      const item = (content: string) =>
        `<rss version="2.0"><channel><title>T</title><item><guid>1</guid><title>${content}</title></item></channel></rss>`;
      const documents = {
        '/marks.xml': item(`a${MARKS.repeat(4_500_000)}`),
        '/tags.xml': item('<![CDATA[' + '<b>'.repeat(3_000_000) + ']]>'),
        '/open.xml': `<rss version="2.0"><channel>${'<item>'.repeat(1_500_000)}`,
        '/entities.xml': item('&amp;'.repeat(1_800_000)),
      };
      for (const [path, text] of Object.entries(documents)) {
        target.feeds.set(path, Buffer.from(text));
        const reply = await send(target, '/admin/api/feeds', {
          headers: adminHeaders(target),
          body: JSON.stringify({ url: target.feedsOrigin + path }),
        });
        if (reply.text.includes('http.connection_failed')) throw new Error(`nobody read the feed: ${reply.text}`);
      }
    },
  },
  // Must be last: afterwards, there is the maximum number of feeds.
  {
    name: 'an import of 500 files while 300 clients listen, and 5,000 feeds',
    run: async (target) => {
      const streams = await Promise.all(
        times(300).map(async () => {
          const session = await openSession(target);
          const socket = rawConnection(target).resume();
          const head = Object.entries({ ...session, host: '127.0.0.1', accept: 'text/event-stream' })
            .filter(([name]) => name !== 'content-type')
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join('');
          socket.write(`GET /mcp HTTP/1.1\r\n${head}\r\n`);
          return socket;
        }),
      );
      const files = times(500).map((number) => ({
        path: `f${number}.md`,
        content: `# File ${number}\n\n${'Some text of it. '.repeat(300)}`,
      }));
      await admin(target, 'POST', 'knowledge/import', { files });
      const outlines = times(5_000).map((n) => `<outline type="rss" text="F${n}" xmlUrl="http://192.0.2.1/${n}.xml"/>`);
      const opml = `<opml version="2.0"><head/><body>${outlines.join('')}</body></opml>`;
      await admin(target, 'POST', 'feeds/opml', { opml });
      for (const socket of streams) socket.destroy();
    },
  },
];

export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  strangers: STRANGERS,
  'holders of keys': KEY_HOLDERS,
  authors: AUTHORS,
};
