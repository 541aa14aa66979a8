import { fileText } from './file-text.rules.js';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('fileText', () => {
  it.each([
    ['UTF-8', Buffer.from('Grüße 日本 🚀'), 'Grüße 日本 🚀'],
    ['UTF-8 with a mark', Buffer.from('\ufeffGrüße'), 'Grüße'],
    ['UTF-16 with a mark', Buffer.from('\ufeffGrüße 日本', 'utf16le'), 'Grüße 日本'],
    ['UTF-16 of the other byte order, with a mark', utf16be('\ufeffGrüße'), 'Grüße'],
    ['UTF-16 without a mark', Buffer.from('# Grüße an alle', 'utf16le'), '# Grüße an alle'],
    ['UTF-16 of the other byte order, without a mark', utf16be('# Grüße an alle'), '# Grüße an alle'],
    ['Latin-1', latin1('Grüße'), 'Grüße'],
    ['Windows-1252', Buffer.concat([latin1('caf\xe9 \x93so\x94 \x96 5 \x80')]), 'café “so” – 5 €'],
    ['what HTML declares', latin1('<meta charset="windows-1251">\xcf\xf0\xe8'), '<meta charset="windows-1251">При'],
    [
      'what XML declares',
      latin1('<?xml version="1.0" encoding="koi8-r"?>\xf0'),
      '<?xml version="1.0" encoding="koi8-r"?>П',
    ],
    ['Latin-1 that claims to be UTF-8', latin1('<meta charset="utf-8">\xe9'), '<meta charset="utf-8">é'],
    ['a charset that does not exist', latin1('<meta charset="nonsense">\xe9'), '<meta charset="nonsense">é'],
    ['the colours of a terminal', Buffer.from('\x1b[1mdone\x1b[0m\t\r\n\f'), '\x1b[1mdone\x1b[0m\t\r\n\f'],
  ])('reads %s', (_what, bytes, text) => expect(fileText(bytes)).toEqual({ text }));

  it.each([
    ['nothing', Buffer.alloc(0), 'it is empty'],
    ['white space', Buffer.from(' \n\t'), 'it is empty'],
    ['a mark alone', Buffer.from('\ufeff'), 'it is empty'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'it is not a text but binary data'],
    ['control characters', latin1('\x01\x02\x03\x04abc'.repeat(10)), 'it is not a text but binary data'],
    ['small numbers of two bytes', Buffer.from([0, 1, 0, 2, 3, 4]), 'it is not a text but binary data'],
    ['zeros in a text', Buffer.from(`text${'x'.repeat(100)}\0more`), 'it is not a text but binary data'],
  ])('says what is wrong with %s', (_what, bytes, problem) => expect(fileText(bytes)).toEqual({ problem }));
});
