import { newFeed } from '../testing.js';
import { type OpmlEntry, readOpml, writeOpml } from './opml.rules.js';

const NOW = new Date('2026-11-21T10:00:00Z');
const opml = (outlines: string) => `<?xml version="1.0"?><opml version="1.0"><head/><body>${outlines}</body></opml>`;

function entriesOf(text: string): OpmlEntry[] {
  const reading = readOpml(text);
  return reading.kind === 'opml' ? reading.entries : [];
}

describe('readOpml', () => {
  it('reads what feed readers export', () => {
    const text = opml(`
      <outline title="Tech &amp; more" text="Tech &amp; more">
        <outline text="Deep"><outline type="rss" text="A" title="Title of A" xmlUrl="https://a.example/f" htmlUrl="https://a.example"/></outline>
        <outline TYPE="RSS" TEXT="B" XMLURL="https://b.example/f?x=1&amp;y=2"/>
      </outline>
      <outline text="C" xmlUrl="https://c.example/f"><outline text="inside" xmlUrl="https://d.example/f"/></outline>
      <outline text="A bookmark" type="link" url="https://e.example/"/>
      <outline xmlUrl="https://nameless.example/f"/>`);
    expect(entriesOf(text)).toEqual([
      {
        url: 'https://a.example/f',
        title: 'Title of A',
        siteUrl: 'https://a.example/',
        folders: ['Tech & more', 'Deep'],
      },
      { url: 'https://b.example/f?x=1&y=2', title: 'B', siteUrl: null, folders: ['Tech & more'] },
      { url: 'https://c.example/f', title: 'C', siteUrl: null, folders: [] },
      { url: 'https://d.example/f', title: 'inside', siteUrl: null, folders: [] },
      { url: 'https://nameless.example/f', title: null, siteUrl: null, folders: [] },
    ]);
  });

  it('expands no entity definitions', () => {
    const text = `<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]>${opml('<outline text="&x;" xmlUrl="https://a.example/f"/>')}`;
    expect(entriesOf(text)).toMatchObject([{ title: '&x;' }]);
  });

  it('limits the depth of folders, but takes the feeds of all of them', () => {
    const depth = 2_000;
    const [entry] = entriesOf(opml(`${'<outline text="f">'.repeat(depth)}<outline xmlUrl="https://a.example/"/>`));
    expect(entry?.folders ?? []).toEqual(Array.from({ length: entry ? 20 : 0 }, () => 'f'));
    const shallow = `${'<outline text="f">'.repeat(30)}<outline xmlUrl="https://a.example/"/>${'</outline>'.repeat(30)}`;
    expect(entriesOf(opml(shallow))).toMatchObject([{ folders: Array.from({ length: 20 }, () => 'f') }]);
  });

  it.each(['', 'hello', '<html><body/></html>', '<opml version="2.0"><body><outline text="'])('refuses %s', (text) => {
    expect(readOpml(text)).toMatchObject({ kind: 'invalid' });
  });
});

it('writes documents that it can read again', () => {
  const feeds = [
    newFeed({ id: 'a', customTitle: 'A & "B" <c>', folders: ['One', 'Two'], siteUrl: 'https://a.example/' }),
    newFeed({ id: 'b', publishedTitle: 'B', folders: ['One'] }),
    newFeed({ id: 'c', publishedTitle: 'C', url: 'https://c.example/?a=1&b=2' }),
  ];
  expect(entriesOf(writeOpml(feeds, NOW))).toEqual([
    { url: 'https://a.example/feed', title: 'A & "B" <c>', siteUrl: 'https://a.example/', folders: ['One', 'Two'] },
    { url: 'https://b.example/feed', title: 'B', siteUrl: null, folders: ['One'] },
    { url: 'https://c.example/?a=1&b=2', title: 'C', siteUrl: null, folders: [] },
  ]);
  expect(entriesOf(writeOpml([], NOW))).toEqual([]);
});

it('writes no characters that XML forbids, which publishers put into titles', () => {
  const document = writeOpml([newFeed({ publishedTitle: 'A\u0008\uFFFF\tB', folders: ['\u000BOne'] })], NOW);
  expect(entriesOf(document)).toMatchObject([{ title: 'A\tB', folders: ['One'] }]);
});
