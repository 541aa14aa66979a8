import { zipSync } from 'fflate';
import * as adminRole from '../../src/access/accounts/admin-role.rules.js';
import * as ifMatch from '../../src/entrypoints/admin/api/versions/if-match.rules.js';
import * as newPassword from '../../src/access/accounts/password.rules.js';
import * as sameOrigin from '../../src/access/accounts/same-origin.rules.js';
import * as signIn from '../../src/access/single-sign-on/login.rules.js';
import * as uiFiles from '../../src/entrypoints/admin/ui/ui-files.rules.js';
import * as clientKey from '../../src/access/clients/client-key.rules.js';
import * as unzip from '../../src/platform/archives/unzipped.rules.js';
import * as databaseFailure from '../../src/platform/database/database-failure.rules.js';
import * as listeningAddress from '../../src/platform/environment/address.rules.js';
import * as sealingKey from '../../src/platform/environment/sealing-key.rules.js';
import * as builtinModel from '../../src/features/semantic/models/builtin-model.rules.js';
import * as embedding from '../../src/features/semantic/models/embedding.rules.js';
import * as givenSocket from '../../src/platform/listening/systemd-socket.rules.js';
import * as task from '../../src/entrypoints/mcp/task.rules.js';
import * as address from '../../src/platform/network/address.rules.js';
import * as postgresTls from '../../src/platform/environment/postgres-tls.rules.js';
import * as allowedHosts from '../../src/platform/outgoing-http/allowed-hosts.rules.js';
import * as redirect from '../../src/platform/outgoing-http/redirect.rules.js';
import * as responseHeaders from '../../src/platform/outgoing-http/response-headers.rules.js';
import * as retryAfter from '../../src/platform/outgoing-http/retry-after.rules.js';
import * as sealedText from '../../src/platform/secrets/sealed-text.rules.js';
import * as secretHash from '../../src/platform/secrets/secret-hash.rules.js';
import * as hostEntry from '../../src/platform/settings/host-entry.rules.js';
import * as settings from '../../src/platform/settings/settings.rules.js';
import * as language from '../../src/platform/text/language.rules.js';
import * as normal from '../../src/platform/text/normal-form.rules.js';
import * as lacks from '../../src/platform/text/search-lacks.rules.js';
import * as textQuery from '../../src/platform/text/text-query.rules.js';
import * as counts from '../../src/platform/text/word-counts.rules.js';
import * as words from '../../src/platform/text/words.rules.js';
import { AUDIT_RULES } from './audit-calls.js';
import { type Call, CODE, type Entry, NOT_TEXT, OURS } from './entry.js';
import { FEED_RULES } from './feed-calls.js';
import { KNOWLEDGE_RULES } from './knowledge-calls.js';
import { BASE, ENDED_RUN, NOW, parts, problem } from './samples.js';
import { MODULE_RULES } from './module-calls.js';
import { LLM_RULES } from './llm-calls.js';
import { OAUTH_RULES } from './oauth-calls.js';
import { PACKAGE_RULES } from './package-calls.js';
import { POLICY_RULES } from './policy-calls.js';
import { WORKFLOW_RULES } from './workflow-calls.js';

const hop = { url: new URL(BASE), method: 'GET', headers: {}, body: null };

// The cost of these libraries is not ours: test/threads shows that a thread ends at its limit, and that nobody waits for it.

export const RULES: Record<string, Record<string, Entry>> = {
  'src/platform/archives/unzipped.rules.ts': {
    unzipped: (text) => unzip.unzipped(zipSync({ a: Buffer.from(text) }, { level: 0 }), () => true),
  },
  'src/access/accounts/password-hash.rules.ts': {
    hashPassword: 'is made to be slow, whatever it is given',
    isPassword: 'is made to be slow, whatever it is given',
  },
  'src/access/single-sign-on/login.rules.ts': {
    safePath: [(text) => signIn.safePath(text), (text) => signIn.safePath(`/${text}`)],
    withParameter: (text) => signIn.withParameter(signIn.safePath(`/${text.slice(0, 400)}`), 'a', text),
    claimOf: (text) => signIn.claimOf({ a: { b: 1 } }, text),
    groupsIn: [(text) => signIn.groupsIn(text), (text) => signIn.groupsIn(text.split('a'))],
    leavesOutGroups: (text) => signIn.leavesOutGroups({ _claim_names: { [text]: 'a' } }, text),
    grantsOf: (text) => signIn.grantsOf({ rules: [], defaultRole: 'member' }, text.split('a')),
    lacksClaims: (text) => signIn.lacksClaims({}, { personClaim: text, groupsClaim: text, rules: [] }),
    accountNames: (text) => [...signIn.accountNames({ preferred_username: text, sub: text })],
    findingsOf: (text) => signIn.findingsOf({ issuer: text, response_types_supported: text.split('a') }, 'https://a'),
  },
  'src/access/accounts/same-origin.rules.ts': {
    siteOf: [
      (text) => sameOrigin.siteOf({ origin: text, host: text }),
      (text) => sameOrigin.siteOf({ 'sec-fetch-site': text }),
    ],
    isSafeMethod: (text) => sameOrigin.isSafeMethod(text),
  },
  'src/access/accounts/admin-role.rules.ts': {
    neededRole: (text) => adminRole.neededRole(text, undefined),
    isEnough: OURS,
  },
  'src/access/accounts/password.rules.ts': {
    passwordProblem: [
      (text) => newPassword.passwordProblem(text, 'ada'),
      (text) => newPassword.passwordProblem(text.slice(0, 200), 'a'),
    ],
  },
  'src/entrypoints/admin/api/versions/if-match.rules.ts': {
    versionInIfMatch: [(text) => ifMatch.versionInIfMatch(text), (text) => ifMatch.versionInIfMatch(`"${text}"`)],
    entityTag: OURS,
  },
  'src/entrypoints/admin/api/problem.rules.ts': { statusOf: OURS, problemOf: OURS },
  'src/entrypoints/admin/ui/ui-files.rules.ts': {
    pagePathOf: (text) => uiFiles.pagePathOf('GET', `/admin/${text}`),
    isFile: 'takes the path of a file that is there',
  },
  'src/entrypoints/mcp/task.rules.ts': {
    toTask: (text) => task.toTask({ ...ENDED_RUN, error: problem(text) }, { retentionDays: 1 }),
    toInputRequests: (text) =>
      task.toInputRequests([
        { runId: 'a', step: text, question: { message: text, schema: {} }, notCaller: false, askedAt: NOW },
      ]),
    toOutcome: (text) =>
      task.toOutcome(ENDED_RUN, { content: [{ type: 'text', text }] }, { value: 1_000, source: 'x' }),
  },
  'src/platform/environment/address.rules.ts': {
    addressOf: [
      (text) => listeningAddress.addressOf({ PORT: text }),
      (text) => listeningAddress.addressOf({ HOST: text }),
    ],
  },
  'src/platform/listening/systemd-socket.rules.ts': {
    isSocketGiven: (text) => givenSocket.isSocketGiven({ LISTEN_PID: '1', LISTEN_FDS: text }, 1),
  },
  'src/platform/environment/sealing-key.rules.ts': {
    standsForSealingKey: (text) => sealingKey.standsForSealingKey(text),
    toSealingKey: 'once at start, of a text of the operator: scrypt takes its time on purpose',
  },
  'src/platform/secrets/sealed-text.rules.ts': {
    seal: (text) => sealedText.seal(text, Buffer.alloc(32), 'test'),
    unseal: (text) => sealedText.unseal({ sealed: text }, Buffer.alloc(32), 'test'),
  },
  'src/access/clients/client-key.rules.ts': {
    toClientKey: OURS,
    looksLikeClientKey: (text) => clientKey.looksLikeClientKey(text),
    isClientKey: (text) => clientKey.isClientKey(text),
    hashOfKey: (text) => clientKey.hashOfKey(text),
    shownPartOf: (text) => clientKey.shownPartOf(text),
    keyIn: [(text) => clientKey.keyIn(text), (text) => clientKey.keyIn(`Bearer ${text}`)],
    hasSeveralAuthorizations: (text) => clientKey.hasSeveralAuthorizations(parts(text, 13)),
    authorizationProblem: [
      (text) => clientKey.authorizationProblem(text),
      (text) => clientKey.authorizationProblem(`Bearer ${text}`),
    ],
  },
  'src/platform/secrets/secret-hash.rules.ts': {
    hashSecret: (text) => secretHash.hashSecret(text),
    matcherOf: (text) => secretHash.matcherOf(secretHash.hashSecret('a'))(text),
  },
  'src/features/semantic/models/embedding.rules.ts': {
    toEmbedding: NOT_TEXT,
    similarity: NOT_TEXT,
    nearnessOf: NOT_TEXT,
    isOfIdentifiers: embedding.isOfIdentifiers,
    retryDelayMs: NOT_TEXT,
    embeddedText: (text) => embedding.embeddedText([text], text),
  },
  'src/features/semantic/models/builtin-model.rules.ts': {
    readPart: builtinModel.readPart,
    isReadable: builtinModel.isReadable,
  },
  'src/features/semantic/rank-fusion.rules.ts': { fuseRankings: OURS, fuseWithSemantic: OURS },
  'src/platform/settings/host-entry.rules.ts': {
    isAddressOrRange: hostEntry.isAddressOrRange,
    isHostEntry: hostEntry.isHostEntry,
  },
  'src/platform/settings/settings.rules.ts': {
    isSettingKey: (text) => settings.isSettingKey(text),
    isSecretKey: OURS,
    isCredentialKey: OURS,
    isPlainKey: OURS,
    declarationOf: OURS,
    environmentVariableOf: OURS,
    checkValue: settings.SETTING_KEYS.flatMap((key): Call[] => [
      (text) => settings.checkValue(key, text),
      (text) => settings.checkValue(key, [text]),
    ]),
    checkOverride: 'takes what the operator wrote into the environment',
  },
  'src/platform/database/database-failure.rules.ts': {
    explained: (text) => databaseFailure.explained(new Error(text)),
    isAnswerLost: (text) => databaseFailure.isAnswerLost(new Error(text)),
    isRefusal: (text) => databaseFailure.isRefusal(Object.assign(new Error(text), { code: text })),
  },
  'src/platform/text/common-words.rules.ts': {
    isStopWord: 'takes words of at most 48 characters',
    boostOf: 'takes words of at most 48 characters',
  },
  'src/platform/text/candidate-terms.rules.ts': { candidateTerms: 'takes at most 25 terms' },
  'src/platform/text/language.rules.ts': {
    languageOf: (text) => language.languageOf(text),
    isLanguage: (text) => language.isLanguage(text),
    stemOf: 'takes words of at most 48 characters',
    markOf: OURS,
  },
  'src/platform/text/label.rules.ts': { labelOf: 'takes names of at most 64 characters' },
  'src/platform/text/ranking.rules.ts': {
    weightOf: 'takes two numbers',
    relevanceOf: 'takes at most 24 words, which it looks up',
    distinctivenessOf: 'takes at most 24 words, which it looks up in at most 1,000 rows',
  },
  'src/platform/text/word-counts.rules.ts': {
    toIndexedText: (text) => counts.toIndexedText({ title: '', context: '', body: text }, 'en', []),
    countWords: (text) => counts.countWords({ title: '', context: '', body: text }),
    hashOf: 'takes words of at most 48 characters',
    hashesIn: OURS,
    lengthsOf: OURS,
    occurrencesOf: OURS,
  },
  'src/platform/text/normal-form.rules.ts': {
    normalForm: [(text) => normal.normalForm(text, 'NFKC'), (text) => normal.normalForm(text, 'NFKD')],
  },
  'src/platform/text/search-lacks.rules.ts': {
    searchedPart: (text) => lacks.searchedPart(text),
    describeLacks: OURS,
  },
  'src/platform/text/text-query.rules.ts': {
    parseTextQuery: (text) => textQuery.parseTextQuery(text),
    isEmptyQuery: OURS,
    matcherOf: 'returns a function that takes words of at most 48 characters',
  },
  'src/platform/text/words.rules.ts': {
    wordsOf: (text) => words.wordsOf(text),
    eachWord: (text) => words.eachWord(text, () => undefined),
    indexedWords: (text) => words.indexedWords(text, 'de'),
    indexedText: (text) => words.indexedText(text, 'fr'),
    isDense: (text) => words.isDense(text),
    termOf: 'takes words of at most 48 characters',
    unaccented: 'takes words of at most 48 characters',
    normalTags: [(text) => words.normalTags([text]), (text) => words.normalTags(parts(text, 64).slice(0, 1_000))],
  },
  'src/platform/environment/postgres-tls.rules.ts': {
    withVerifiedTls: (text) =>
      postgresTls.withVerifiedTls(`postgres://a/b?${'&sslmode='.repeat(text.length / 9)}${text}`),
    unknownTlsIn: [
      (text) => postgresTls.unknownTlsIn(`postgres://a/b?${text}`),
      (text) => postgresTls.unknownTlsIn(`postgres://a/b?ssl${text}=1`),
      (text) => postgresTls.unknownTlsIn(`postgres://a/b?${'sslcert=1&'.repeat(text.length / 10)}`),
    ],
  },
  'src/platform/network/address.rules.ts': {
    nonPublicRangeOf: (text) => address.nonPublicRangeOf(text),
    isMetadataAddress: (text) => address.isMetadataAddress(text),
    isSameAddress: [
      (text) => address.isSameAddress(text, '10.0.0.1'),
      (text) => address.isSameAddress('10.0.0.1', text),
    ],
    networkOf: (text) => address.networkOf(text),
    isInRange: [(text) => address.isInRange(text, '10.0.0.0/8'), (text) => address.isInRange('10.0.0.1', text)],
  },
  'src/platform/outgoing-http/allowed-hosts.rules.ts': {
    isHostAllowed: [
      (text) => allowedHosts.isHostAllowed(text, ['*.a']),
      (text) => allowedHosts.isHostAllowed('a', [text]),
    ],
    isAddressAllowed: (text) => allowedHosts.isAddressAllowed(text, ['10.0.0.0/8']),
    isAddressNamed: (text) => allowedHosts.isAddressNamed(text, ['10.0.0.1']),
    isMetadataName: (text) => allowedHosts.isMetadataName(text),
  },
  'src/platform/outgoing-http/redirect.rules.ts': {
    isRedirect: (text) => redirect.isRedirect(301, text),
    followRedirect: [
      (text) => redirect.followRedirect(hop, 301, text),
      (text) => redirect.followRedirect({ ...hop, headers: { [text]: 'a' } }, 301, 'https://y.example/'),
    ],
    parseHttpUrl: [
      (text) => redirect.parseHttpUrl(text),
      (text) => redirect.parseHttpUrl(`https://a.example/${text}`),
      (text) => redirect.parseHttpUrl(text, new URL('https://a.example/')),
    ],
  },
  'src/platform/outgoing-http/retry-after.rules.ts': {
    retryAfterMs: (text) => retryAfter.retryAfterMs(text, NOW),
  },
  'src/platform/outgoing-http/response-headers.rules.ts': {
    toIncomingHeaders: [
      (text) => responseHeaders.toIncomingHeaders({ [text]: [text, text] }),
      (text) => responseHeaders.toIncomingHeaders({ etag: text.split(' ') }),
    ],
  },
  'src/entrypoints/commands/command-line.rules.ts': {
    asksForHelp: 'takes what the operator types',
    readArguments: 'takes what the operator types',
  },
  'src/entrypoints/commands/usage.rules.ts': { usageAsCalled: 'takes what the commands declare' },
  'src/core/skills/skill-catalogue.rules.ts': { skillWarnings: CODE, catalogueWarnings: CODE },
  ...AUDIT_RULES,
  ...FEED_RULES,
  ...KNOWLEDGE_RULES,
  ...MODULE_RULES,
  ...LLM_RULES,
  ...OAUTH_RULES,
  ...PACKAGE_RULES,
  ...POLICY_RULES,
  ...WORKFLOW_RULES,
};
