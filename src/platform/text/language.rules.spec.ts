import { Random } from '../../../test/fuzz/random.js';
import { isLanguage, languageOf, markOf, stemOf } from './language.rules.js';

const TEXTS: Record<string, string> = {
  en: 'The connection to the server was lost in the middle of the night. Please restart the service and check that nobody is waiting for its answer any more. Then write down what has happened.',
  de: 'Die Verbindung zum Server ist mitten in der Nacht abgebrochen. Bitte starten Sie den Dienst neu und prüfen Sie, ob noch jemand auf eine Antwort wartet. Danach schreiben Sie auf, was geschehen ist.',
  fr: "La connexion au serveur a été perdue au milieu de la nuit. Veuillez redémarrer le service et vérifier que plus personne n'attend sa réponse. Ensuite, notez ce qui s'est passé.",
  es: 'La conexión con el servidor se perdió en mitad de la noche. Reinicie el servicio y compruebe que ya nadie espera su respuesta. Después anote lo que ha ocurrido, por favor.',
  ru: 'Соединение с сервером было потеряно посреди ночи. Перезапустите службу и проверьте, что больше никто не ждёт ответа. Затем запишите, что произошло, и сообщите об этом.',
};
const LANGUAGES = [
  'en',
  'da',
  'de',
  'el',
  'es',
  'fi',
  'fr',
  'hu',
  'it',
  'nl',
  'no',
  'pt',
  'ro',
  'ru',
  'sv',
  'tr',
  'uk',
];

describe('the language of a text', () => {
  it.each(Object.entries(TEXTS))('is known: %s', (language, text) => {
    expect(languageOf(text)).toBe(language);
  });

  it('is the one of its sentences, also with some words of English', () => {
    expect(languageOf(`${TEXTS['de']} Siehe "Restart the server".`)).toBe('de');
  });

  it('does not depend on code in it', () => {
    const code = '`const value = await fetch(url)` https://example.com/some/english/words ';
    expect(languageOf(`${code.repeat(10)}${TEXTS['de']}`)).toBe('de');
  });

  it.each([
    ['short', 'Standup ist montags um neun'],
    ['code', 'a = b(c); '.repeat(100)],
    ['a table of a few words', '| option | what the option does |\n'.repeat(100)],
    ['of a language without a stemmer', '全文検索は、文書の中から語句を探す技術である。'.repeat(10)],
    ['empty', ''],
  ])('is taken for English when the text is %s', (_what, text) => {
    expect(languageOf(text)).toBe('en');
  });
});

describe('the stem of a word', () => {
  it.each([
    ['en', 'configuration', 'configured'],
    ['de', 'verbindung', 'verbindungen'],
    ['fr', 'générale', 'générales'],
    ['es', 'respuesta', 'respuestas'],
    ['ru', 'сервером', 'серверу'],
    ['tr', 'kitaplar', 'kitap'],
  ] as const)('is the same for the forms of a word: %s', (language, one, other) => {
    expect(stemOf(one, language)).toBe(stemOf(other, language));
  });

  it.each([
    ['deploy', 'deploys deployed deploying deployment deployments'],
    ['connect', 'connect connects connected connecting connection connections'],
    ['select', 'select selects selected selecting selection'],
    ['replay', 'replay replays replayed replaying'],
    ['gateway', 'gateway gateways'],
    ['instant', 'instant instants instantly'],
    ['encrypt', 'encrypt encrypted encryption'],
    ['retri', 'retry retries retried retrying'],
    ['configur', 'configure configured configuring configuration configurations'],
  ])('of English is the one of the Snowball project: %s', (stem, words) => {
    expect(words.split(' ').map((word) => stemOf(word, 'en'))).toEqual(words.split(' ').map(() => stem));
  });

  it('of a word in another script is the English one', () => {
    expect(stemOf('policies', 'ru')).toBe(stemOf('policies', 'en'));
  });

  it('has no capitals, quotes or gaps, whatever the word, and is not longer', () => {
    const random = new Random(3);
    const letters = [
      ...'abcdefghijklmnopqrstuvwxyzäöüßéèñçığşåøæабвгдежийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρσςτυφχψω',
    ];
    for (let round = 0; round < 3_000; round += 1) {
      const word = Array.from({ length: random.integer(1, 48) }, () => letters[random.integer(0, letters.length)]).join(
        '',
      );
      for (const language of LANGUAGES.filter(isLanguage)) {
        const stem = stemOf(word, language);
        if (!/^[^\p{Lu}'"\s]*$/u.test(stem) || stem.length > 2 * word.length)
          throw new Error(`${language} ${word} -> ${stem}`);
      }
    }
  });
});

describe('the mark of a language', () => {
  it('is one capital letter, another for each but English', () => {
    const marks = LANGUAGES.filter(isLanguage).map(markOf);
    expect(marks.filter((mark) => mark === '')).toHaveLength(1);
    expect(new Set(marks).size).toBe(LANGUAGES.length);
    expect(marks.every((mark) => mark === '' || /^\p{Lu}$/u.test(mark))).toBe(true);
  });
});
