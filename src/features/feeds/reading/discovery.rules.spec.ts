import { discoverFeeds, isHtml } from './discovery.rules.js';

const PAGE = 'https://site.example/blog/index.html';
const link = (attributes: string) => `<html><head><link ${attributes}></head><body></body></html>`;

describe('discoverFeeds', () => {
  it.each([
    ['rel="alternate" type="application/rss+xml" href="/feed"', 'https://site.example/feed'],
    ['rel="alternate" type="application/atom+xml" href="feed.xml"', 'https://site.example/blog/feed.xml'],
    ['rel=alternate type=application/feed+json href=https://other.example/f.json', 'https://other.example/f.json'],
    ["HREF='//cdn.example/feed' TYPE='APPLICATION/RSS+XML' REL='Alternate'", 'https://cdn.example/feed'],
    ['rel="alternate home" type="text/rdf+xml" href="?feed=rdf&amp;x=1"', `${PAGE}?feed=rdf&x=1`],
  ])('finds <link %s>', (attributes, expected) => {
    expect(discoverFeeds(link(attributes), PAGE)).toEqual([expected]);
  });

  it.each([
    'rel="stylesheet" type="application/rss+xml" href="/feed"',
    'rel="alternate" type="text/html" href="/de"',
    'rel="alternate" type="application/rss+xml"',
    'rel="alternate" type="application/rss+xml" href="javascript:alert(1)"',
    'rel="alternate" type="application/json" href="/wp-json/posts/1"',
  ])('leaves <link %s> alone', (attributes) => {
    expect(discoverFeeds(link(attributes), PAGE)).toEqual([]);
  });

  it('resolves URLs against the base of the page, puts comment feeds last, and lists each feed once', () => {
    const feed = (href: string, title: string) =>
      `<link rel="alternate" type="application/rss+xml" title="${title}" href="${href}">`;
    const html = `<!doctype html><base href="/base/">${feed('c', 'Comments')}${feed('p', 'Posts')}${feed('p', 'Again')}`;
    expect(discoverFeeds(html, PAGE)).toEqual(['https://site.example/base/p', 'https://site.example/base/c']);
  });

  it('distinguishes an HTML page from other texts', () => {
    expect(isHtml('\n<!DOCTYPE html><p>')).toBe(true);
    expect(isHtml('<HTML lang="de">')).toBe(true);
    expect(isHtml('{"html":1}')).toBe(false);
    expect(isHtml('<?xml version="1.0"?><urlset/>')).toBe(false);
  });
});
