import * as adminRole from '../../src/admin/auth/admin-role.rules.js';
import * as newPassword from '../../src/admin/auth/password.rules.js';
import * as sameOrigin from '../../src/admin/auth/same-origin.rules.js';
import * as uiFiles from '../../src/admin/ui/ui-files.rules.js';
import * as authorization from '../../src/clients/authorization.rules.js';
import * as clientKey from '../../src/clients/client-key.rules.js';
import * as databaseFailure from '../../src/database/database-failure.rules.js';
import * as listeningAddress from '../../src/environment/address.rules.js';
import * as sealingKey from '../../src/environment/sealing-key.rules.js';
import * as feedMarkdown from '../../src/feeds/feed-markdown.rules.js';
import * as feedSearch from '../../src/feeds/feed-search.rules.js';
import * as feedUrl from '../../src/feeds/feed-url.rules.js';
import * as response from '../../src/feeds/polling/response.rules.js';
import * as charset from '../../src/feeds/reading/charset.rules.js';
import * as feedContent from '../../src/feeds/reading/content.rules.js';
import * as discovery from '../../src/feeds/reading/discovery.rules.js';
import type { DocumentItem } from '../../src/feeds/reading/document.js';
import * as atom from '../../src/feeds/reading/formats/atom.rules.js';
import * as format from '../../src/feeds/reading/formats/format.rules.js';
import * as jsonFeed from '../../src/feeds/reading/formats/json-feed.rules.js';
import * as rdf from '../../src/feeds/reading/formats/rdf.rules.js';
import * as rss from '../../src/feeds/reading/formats/rss.rules.js';
import * as identity from '../../src/feeds/reading/identity.rules.js';
import * as feedTime from '../../src/feeds/reading/time.rules.js';
import * as feedXml from '../../src/feeds/reading/xml.rules.js';
import * as opml from '../../src/feeds/subscribing/opml.rules.js';
import { newFeed, newItem } from '../../src/feeds/testing.js';
import * as document from '../../src/knowledge/document.rules.js';
import * as importedFile from '../../src/knowledge/import/imported-file.rules.js';
import * as heading from '../../src/knowledge/passages/heading.rules.js';
import * as difference from '../../src/knowledge/passages/passage-difference.rules.js';
import * as passages from '../../src/knowledge/passages/passages.rules.js';
import * as embedding from '../../src/semantic/embedding.rules.js';
import * as builtinModel from '../../src/semantic/models/builtin-model.rules.js';
import * as givenSocket from '../../src/listening/given-socket.rules.js';
import * as task from '../../src/mcp/task.rules.js';
import * as memory from '../../src/memory/memory.rules.js';
import * as address from '../../src/network/address.rules.js';
import * as allowedHosts from '../../src/outgoing-http/allowed-hosts.rules.js';
import * as redirect from '../../src/outgoing-http/redirect.rules.js';
import * as responseHeaders from '../../src/outgoing-http/response-headers.rules.js';
import * as sealedText from '../../src/secrets/sealed-text.rules.js';
import * as secretHash from '../../src/secrets/secret-hash.rules.js';
import * as settings from '../../src/settings/settings.rules.js';
import * as excerpt from '../../src/text/excerpt.rules.js';
import * as normal from '../../src/text/normal-form.rules.js';
import * as textQuery from '../../src/text/text-query.rules.js';
import * as words from '../../src/text/words.rules.js';
import { AUDIT_RULES } from './audit-calls.js';
import { type Call, CODE, type Entry, NOT_TEXT, OURS } from './entry.js';
import { BASE, ENDED_RUN, NOW, problem } from './samples.js';
import { POLICY_RULES } from './policy-calls.js';
import { WORKFLOW_RULES } from './workflow-calls.js';

const KNOWN = { url: BASE, etag: null, lastModified: null, documentHash: null };
const anyWord = (word: string): boolean => word.length % 2 === 1;
const hop = { url: new URL(BASE), method: 'GET', headers: {}, body: null };

function item(change: Partial<DocumentItem>): DocumentItem {
  const nothing = { guid: null, url: null, title: null, author: null, publishedAt: null, content: null };
  return { ...nothing, categories: [], attachments: [], ...change };
}
const answered = (headers: Record<string, string>, status = 200) => ({
  status,
  headers,
  body: Buffer.alloc(0),
  url: BASE,
  redirects: [],
});
/** Many texts of one. */
const parts = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));

// What these libraries take is theirs: test/threads shows that a thread ends at its limit, and that nobody waits for it.
const FEED_THREAD =
  'sanitize-html, turndown and feedsmith have no bounds: only the thread of FeedReader runs them on feeds';
const OPML_THREAD = 'feedsmith has no bounds: only the thread of OpmlReader runs it on OPML';
const FILE_THREAD =
  'sanitize-html, turndown and yaml have no bounds: only the thread of ImportedFileReader runs them on files';
const WORDS =
  'each character may be a word, and Unicode has its say: what is long is done in the thread of PassageMaker';

export const RULES: Record<string, Record<string, Entry>> = {
  'src/admin/auth/password-hash.rules.ts': {
    hashPassword: 'is made to be slow, whatever it is given',
    isPassword: 'is made to be slow, whatever it is given',
  },
  'src/admin/auth/same-origin.rules.ts': {
    siteOf: [
      (text) => sameOrigin.siteOf({ origin: text, host: text }),
      (text) => sameOrigin.siteOf({ 'sec-fetch-site': text }),
    ],
    isSafeMethod: (text) => sameOrigin.isSafeMethod(text),
  },
  'src/admin/auth/admin-role.rules.ts': {
    neededRole: (text) => adminRole.neededRole(text, undefined),
    isEnough: OURS,
  },
  'src/admin/auth/password.rules.ts': {
    passwordProblem: [
      (text) => newPassword.passwordProblem(text, 'ada'),
      (text) => newPassword.passwordProblem(text.slice(0, 200), 'a'),
    ],
  },
  'src/admin/api/problem.rules.ts': { statusOf: OURS, problemOf: OURS },
  'src/admin/ui/ui-files.rules.ts': {
    pagePathOf: (text) => uiFiles.pagePathOf('GET', `/admin/${text}`),
    isFile: 'takes the path of a file that is there',
  },
  'src/mcp/task.rules.ts': {
    toTask: (text) => task.toTask({ ...ENDED_RUN, error: problem(text) }, { retentionDays: 1 }),
    toInputRequests: (text) =>
      task.toInputRequests([{ runId: 'a', step: text, question: { message: text, schema: {} }, askedAt: NOW }]),
    toOutcome: (text) =>
      task.toOutcome(ENDED_RUN, { content: [{ type: 'text', text }] }, { value: 1_000, source: 'x' }),
  },
  'src/environment/address.rules.ts': {
    addressOf: [
      (text) => listeningAddress.addressOf({ PORT: text }),
      (text) => listeningAddress.addressOf({ HOST: text }),
    ],
  },
  'src/listening/given-socket.rules.ts': {
    isSocketGiven: (text) => givenSocket.isSocketGiven({ LISTEN_PID: '1', LISTEN_FDS: text }, 1),
  },
  'src/environment/sealing-key.rules.ts': {
    standsForSealingKey: (text) => sealingKey.standsForSealingKey(text),
    toSealingKey: 'once at start, of a text of the operator: scrypt takes its time on purpose',
  },
  'src/secrets/sealed-text.rules.ts': {
    seal: (text) => sealedText.seal(text, Buffer.alloc(32), 'test'),
    unseal: (text) => sealedText.unseal({ sealed: text }, Buffer.alloc(32), 'test'),
  },
  'src/clients/client-key.rules.ts': {
    toClientKey: OURS,
    looksLikeClientKey: (text) => clientKey.looksLikeClientKey(text),
    isClientKey: (text) => clientKey.isClientKey(text),
    hashOfKey: (text) => clientKey.hashOfKey(text),
    shownPartOf: (text) => clientKey.shownPartOf(text),
  },
  'src/clients/authorization.rules.ts': {
    keyIn: [(text) => authorization.keyIn(text), (text) => authorization.keyIn(`Bearer ${text}`)],
    hasSeveralAuthorizations: (text) => authorization.hasSeveralAuthorizations(parts(text, 13)),
    authorizationProblem: [
      (text) => authorization.authorizationProblem(text),
      (text) => authorization.authorizationProblem(`Bearer ${text}`),
    ],
  },
  'src/secrets/secret-hash.rules.ts': {
    hashSecret: (text) => secretHash.hashSecret(text),
    matcherOf: (text) => secretHash.matcherOf(secretHash.hashSecret('a'))(text),
  },
  'src/semantic/embedding.rules.ts': {
    toEmbedding: NOT_TEXT,
    similarity: NOT_TEXT,
    nearEnough: NOT_TEXT,
    isOfIdentifiers: embedding.isOfIdentifiers,
    retryDelayMs: NOT_TEXT,
    embeddedText: (text) => embedding.embeddedText([text], text),
  },
  'src/semantic/models/builtin-model.rules.ts': {
    readPart: builtinModel.readPart,
    isReadable: builtinModel.isReadable,
  },
  'src/semantic/rank-fusion.rules.ts': { fuseRankings: OURS, fuseWithMeaning: OURS },
  'src/settings/settings.rules.ts': {
    isSettingKey: (text) => settings.isSettingKey(text),
    isSecretKey: OURS,
    isCredentialKey: OURS,
    isPlainKey: OURS,
    declarationOf: OURS,
    environmentVariableOf: OURS,
    isGuessable: (text) => settings.isGuessable('mcp.api_key', text),
    checkValue: settings.SETTING_KEYS.flatMap((key): Call[] => [
      (text) => settings.checkValue(key, text),
      (text) => settings.checkValue(key, [text]),
    ]),
    checkOverride: 'takes what the operator wrote into the environment',
  },
  'src/database/database-failure.rules.ts': {
    explained: (text) => databaseFailure.explained(new Error(text)),
  },
  'src/text/candidate-terms.rules.ts': { candidateTerms: 'takes at most 25 terms' },
  'src/text/excerpt.rules.ts': {
    excerptOf: {
      calls: [
        (text) => excerpt.excerptOf(text, anyWord),
        (text) => excerpt.excerptOf(text, () => true),
        (text) => excerpt.excerptOf(text, () => false),
      ],
      msPerMegabyte: 1_000,
      because: 'each character may be a word: an entry of the memory has at most 100,000, a passage 1,200',
    },
  },
  'src/text/normal-form.rules.ts': {
    normalForm: [(text) => normal.normalForm(text, 'NFKC'), (text) => normal.normalForm(text, 'NFKD')],
  },
  'src/text/text-query.rules.ts': {
    parseTextQuery: (text) => textQuery.parseTextQuery(text),
    isEmptyQuery: OURS,
    matcherOf: (text) => textQuery.matcherOf(textQuery.parseTextQuery('a "b c" d'))(text),
  },
  'src/text/words.rules.ts': {
    wordsOf: { calls: (text) => words.wordsOf(text), msPerMegabyte: 700, because: WORDS },
    eachWord: { calls: (text) => words.eachWord(text, () => undefined), msPerMegabyte: 700, because: WORDS },
    indexedWords: { calls: (text) => words.indexedWords(text), msPerMegabyte: 700, because: WORDS },
    indexedText: { calls: (text) => words.indexedText(text), msPerMegabyte: 700, because: WORDS },
    isDense: (text) => words.isDense(text),
    normalTags: [(text) => words.normalTags([text]), (text) => words.normalTags(parts(text, 64).slice(0, 1_000))],
  },
  'src/feeds/reading/charset.rules.ts': {
    decodeDocument: [
      (text) => charset.decodeDocument(Buffer.from(text), undefined),
      (text) => charset.decodeDocument(Buffer.from(text, 'utf16le'), 'text/xml; charset=iso-2022-jp'),
      (text) => charset.decodeDocument(Buffer.from('a'), text),
    ],
  },
  'src/feeds/reading/content.rules.ts': {
    toMarkdown: FEED_THREAD,
    toSummary: FEED_THREAD,
    toLine: (text) => feedContent.toLine(text),
  },
  'src/feeds/reading/discovery.rules.ts': {
    isHtml: (text) => discovery.isHtml(text),
    discoverFeeds: FEED_THREAD,
  },
  'src/feeds/reading/identity.rules.ts': {
    identifyItems: (text) =>
      identity.identifyItems({
        ...{ title: null, description: null, siteUrl: null, intervalMinutes: null, isComplete: true },
        items: parts(text, 1_000).map((part) => item({ guid: part, url: part, title: part })),
      }),
    feedIds: [(text) => [...identity.feedIds(text, BASE)], (text) => [...identity.feedIds(null, text)]],
    folded: (text) => identity.folded(text),
    hashOf: (text) => identity.hashOf(text),
  },
  'src/feeds/feed-markdown.rules.ts': {
    feedMarkdown: (text) =>
      feedMarkdown.feedMarkdown(newFeed({ publishedTitle: text, description: text }), [newItem({ title: text })]),
    itemMarkdown: (text) => feedMarkdown.itemMarkdown(newItem({ content: text })),
  },
  'src/feeds/reading/parser.rules.ts': {
    parseFeedDocument: FEED_THREAD,
  },
  'src/feeds/reading/reading.rules.ts': {
    readDocument: FEED_THREAD,
  },
  'src/feeds/polling/response.rules.ts': {
    readResponse: ['etag', 'cache-control', 'last-modified', 'content-type'].flatMap((header): Call[] => [
      (text) => response.readResponse(KNOWN, answered({ [header]: text }), NOW),
      (text) => response.readResponse(KNOWN, answered({ 'retry-after': text }, 429), NOW),
    ]),
    toFetchResult: OURS,
  },
  'src/feeds/polling/schedule.rules.ts': { planNextPoll: NOT_TEXT },
  'src/feeds/feed-search.rules.ts': {
    containsPattern: (text) => feedSearch.containsPattern(text),
    wordPatterns: (text) => feedSearch.wordPatterns(text),
    searchTextOf: (text) => feedSearch.searchTextOf(newItem({ title: text, content: text })),
  },
  'src/feeds/reading/time.rules.ts': { parseFeedTime: (text) => feedTime.parseFeedTime(text) },
  'src/feeds/feed-url.rules.ts': { toFeedUrl: (text) => feedUrl.toFeedUrl(text) },
  'src/feeds/reading/xml.rules.ts': {
    prepareXml: [
      (text) => feedXml.prepareXml(text, 1_000),
      (text) => feedXml.prepareXml(`<rss>${text}`, 1_000),
      (text) => feedXml.prepareXml(`<!DOCTYPE a [${text}<rss>`, 1_000),
    ],
  },
  'src/feeds/reading/formats/atom.rules.ts': {
    fromAtom: (text) =>
      atom.fromAtom(
        {
          title: { value: text },
          links: [{ href: text, rel: text, type: text }],
          entries: [
            { id: text, title: { value: text }, content: { value: text }, summary: { value: text, type: text } },
            { id: 'b', updated: text, published: text, summary: { value: text } },
          ],
        },
        BASE,
      ),
  },
  'src/feeds/reading/formats/format.rules.ts': {
    toHttpUrl: [(text) => format.toHttpUrl(text, BASE), (text) => format.toHttpUrl(`http://${text}`, null)],
    toHtml: (text) => format.toHtml(text),
    firstTime: (text) => format.firstTime(text, text),
    toCategories: [(text) => format.toCategories([text]), (text) => format.toCategories(parts(text, 20))],
    toAttachments: (text) => format.toAttachments([{ url: text, type: text }], BASE),
    updateMinutes: (text) => format.updateMinutes({ updatePeriod: text }),
  },
  'src/feeds/reading/formats/json-feed.rules.ts': {
    fromJsonFeed: (text) =>
      jsonFeed.fromJsonFeed(
        { title: text, items: [{ id: text, url: text, content_html: text, date_published: text, tags: [text] }] },
        BASE,
      ),
  },
  'src/feeds/reading/formats/rdf.rules.ts': {
    fromRdf: (text) =>
      rdf.fromRdf(
        {
          title: text,
          items: [{ title: text, link: text, description: text, dc: { dates: [text] } }],
        },
        BASE,
      ),
  },
  'src/feeds/reading/formats/rss.rules.ts': {
    fromRss: (text) =>
      rss.fromRss(
        {
          title: text,
          items: [{ title: text, link: text, guid: { value: text }, description: text, pubDate: text }],
        },
        BASE,
      ),
  },
  'src/feeds/subscribing/opml.rules.ts': {
    readOpml: OPML_THREAD,
    writeOpml: {
      calls: (text) =>
        opml.writeOpml(
          parts(text, 500).map((part) => newFeed({ publishedTitle: part, folders: [part] })),
          NOW,
        ),
      msPerMegabyte: 1_000,
      because: 'feedsmith escapes each character by itself; titles and folders have at most 300 characters',
    },
  },
  'src/network/address.rules.ts': {
    nonPublicRangeOf: (text) => address.nonPublicRangeOf(text),
    isMetadataAddress: (text) => address.isMetadataAddress(text),
    isSameAddress: [
      (text) => address.isSameAddress(text, '10.0.0.1'),
      (text) => address.isSameAddress('10.0.0.1', text),
    ],
    networkOf: (text) => address.networkOf(text),
    isInRange: [(text) => address.isInRange(text, '10.0.0.0/8'), (text) => address.isInRange('10.0.0.1', text)],
  },
  'src/outgoing-http/allowed-hosts.rules.ts': {
    isHostAllowed: [
      (text) => allowedHosts.isHostAllowed(text, ['*.a']),
      (text) => allowedHosts.isHostAllowed('a', [text]),
    ],
    isAddressAllowed: (text) => allowedHosts.isAddressAllowed(text, ['10.0.0.0/8']),
    isAddressNamed: (text) => allowedHosts.isAddressNamed(text, ['10.0.0.1']),
    isMetadataName: (text) => allowedHosts.isMetadataName(text),
  },
  'src/outgoing-http/redirect.rules.ts': {
    isRedirect: (text) => redirect.isRedirect(301, text),
    followRedirect: [
      (text) => redirect.followRedirect(hop, 301, text),
      (text) => redirect.followRedirect({ ...hop, headers: { [text]: 'a' } }, 301, 'https://y.example/'),
    ],
    parseHttpUrl: (text) => redirect.parseHttpUrl(text),
  },
  'src/outgoing-http/response-headers.rules.ts': {
    toIncomingHeaders: [
      (text) => responseHeaders.toIncomingHeaders({ [text]: [text, text] }),
      (text) => responseHeaders.toIncomingHeaders({ etag: text.split(' ') }),
    ],
  },
  'src/knowledge/document.rules.ts': {
    documentUri: (text) => document.documentUri(text.toWellFormed()),
    newDocumentId: 'takes nothing',
    normalDocument: (text) => document.normalDocument({ title: text, content: text, tags: [text] }),
  },
  'src/knowledge/passages/heading.rules.ts': {
    headingOf: [(text) => heading.headingOf(text), (text) => heading.headingOf(`# ${text}`)],
    firstHeading: [(text) => heading.firstHeading(text), (text) => heading.firstHeading(`### ${text}`)],
  },
  'src/knowledge/import/imported-file.rules.ts': {
    typeOfPath: (text) => importedFile.typeOfPath(text),
    hasFrontMatter: (text) => importedFile.hasFrontMatter(text),
    toDocument: FILE_THREAD,
    titleOfHtml: [
      (text) => importedFile.titleOfHtml(text),
      (text) => importedFile.titleOfHtml(`<title>${text}</title>`),
    ],
  },
  'src/knowledge/passages/passage-difference.rules.ts': {
    placed: OURS,
    toColumns: (text) => difference.toColumns({ headings: [text], content: text }),
    differenceOf: (text) => {
      const after = parts(text, 100).map((content) => ({ headings: [], content }));
      const before = after.map((passage, id) => ({ ...difference.toColumns(passage), id, position: id + 1 }));
      return difference.differenceOf(before, after);
    },
  },
  'src/knowledge/passages/passages.rules.ts': {
    passagesOf: {
      calls: [
        (text) => passages.passagesOf(text),
        (text) => passages.passagesOf(`# ${text}`),
        (text) => passages.passagesOf(`# [${text}\n`.repeat(2)),
      ],
      msPerMegabyte: 1_000,
      because: 'each line may be a paragraph: what is long is done in the thread of PassageMaker',
    },
    indexedPassagesOf: {
      calls: (text) => passages.indexedPassagesOf({ title: 'a', tags: ['b'], content: text }),
      msPerMegabyte: 1_000,
      because: WORDS,
    },
  },
  'src/memory/memory.rules.ts': {
    memoryUri: (text) => memory.memoryUri({ namespace: text, key: text }),
    contentHash: {
      calls: (text) => memory.contentHash(text),
      msPerMegabyte: 700,
      because: 'a character may become 18 in the normal form of Unicode: an entry has at most 100,000',
    },
    inDays: NOT_TEXT,
    memoryScore: NOT_TEXT,
    relevancesOf: NOT_TEXT,
    nearnessesOf: NOT_TEXT,
  },
  'src/skills/skill-catalogue.rules.ts': { skillWarnings: CODE, catalogueWarnings: CODE },
  ...AUDIT_RULES,
  ...POLICY_RULES,
  ...WORKFLOW_RULES,
};
