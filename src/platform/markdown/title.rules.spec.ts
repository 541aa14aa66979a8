import { firstHeading, openingHeadings } from './title.rules.js';

describe('the first heading', () => {
  it.each<[string, string | null]>([
    ['# First\n## Second', 'First'],
    ['text\n\n### Third\n## Second', 'Second'],
    ['#\n# \n#x\n# Title #', 'Title'],
    ['Title\nof two lines\n===\n\n# Other', 'Title of two lines'],
    ['```\n# code\n```\n\n## Title', 'Title'],
    ['````\n```\n# code\n````\n# Title', 'Title'],
    ['<!--\n# hidden\n\n# hidden, too\n-->\n# Title', 'Title'],
    ['> # quoted\n\n- # listed\n\n# Title', 'Title'],
    ['---\nname: x\n---\n# Title', 'Title'],
    ['# [`Code`](https://x.example/) &amp; **more** \\*\\*', 'Code & more **'],
    ['# [one][1] [two] [three]\n\n[1]: https://x.example/\n[two]: /two', 'one two [three]'],
    ['# <a id="x"></a>Title', 'Title'],
    ['# ![Logo](logo.svg)', 'Logo'],
    ['# Tool [![Build](b.svg)](https://x.example/) ![npm](n.svg)', 'Tool'],
    ['<h1 align="center">\n  <img src="x.svg" alt="Tool">\n\n</h1>\n\n## First steps', 'Tool'],
    ['<div><h2>The <b>Tool</b> &amp; more</h2></div>\n\n# Other', 'The Tool & more'],
    ['<h1 class="x">never closed\n\n# Title', 'Title'],
    [`# ${'long '.repeat(100)}\n\n# Title`, 'Title'],
    ['tool(1) -- what it does\n===\n\n## Install', 'tool(1) -- what it does'],
    ['<h1 align="center">\n\t<br>\n\t<img src="x.svg" alt="Tool">\n\t<br>\n</h1>\n\n> What it does', 'Tool'],
    ['text', null],
    ['', null],
  ])('of %j is %j', (markdown, expected) => {
    expect(firstHeading(markdown)).toBe(expected);
  });
});

describe('the opening headings', () => {
  it.each<[string, string[]]>([
    ['<h1 align="center">Tool</h1>\n\n## Hooks\n\n### onReady', ['Tool', 'Hooks']],
    ['<h1>Tool</h1>\n\n# Testing', ['Tool', 'Testing']],
    ['<h1>Tool</h1>\n\nWhat it does\n\n## Hooks', ['Tool']],
    ['<h1>Tool</h1>\n\n### Third', ['Tool']],
    ['# Tool\n\n## Hooks', ['Tool']],
    ['text', []],
  ])('of %j are %j: a banner, and what stands directly below it', (markdown, expected) => {
    expect(openingHeadings(markdown)).toEqual(expected);
  });
});
