import { Random } from '../fuzz/random.js';
import { topicKey } from './corpus.js';
import { SITES, type Topic, TOPICS } from './topics.js';

export interface JudgedQuery {
  query: string;
  /** Relevance of documents, by key: 3 = the answer, 1 = of some use; others are irrelevant. */
  relevant: ReadonlyMap<string, number>;
}

/** Questions about the project, with the section that answers them. */
const ABOUT_THE_PROJECT: readonly [query: string, ...keys: string[]][] = [
  ['connect claude code', 'docs/connect.md#Connect an assistant', 'README.md#Connect'],
  ['cursor mcp.json', 'docs/connect.md#Connect an assistant'],
  ['nginx proxy_read_timeout', 'docs/operate.md#Put it behind nginx'],
  ['docker run container', 'docs/operate.md#Run a container'],
  ['health probes kubernetes', 'docs/operate.md#Probe its health'],
  ['port is in use', 'docs/troubleshooting.md#"... is in use"'],
  ['lost administrator password', "docs/troubleshooting.md#The administrator's password is lost"],
  ['invalid API key 401', 'docs/troubleshooting.md#401 "Invalid API key"', 'ARCHITECTURE.md#Errors'],
  ['rate limit setting requests per key', 'docs/settings.md#Settings and environment variables'],
  ['MCP_TOOL_TIMEOUT_MS', 'docs/settings.md#Settings and environment variables'],
  ['environment variables read at start', 'docs/settings.md#Environment variables', 'docs/configure.md#Configure'],
  ['how do I add a skill', 'CONTRIBUTING.md#Add a skill'],
  ['class-validator input schema of a skill', 'CONTRIBUTING.md#Add a skill'],
  ['add a resource store', 'CONTRIBUTING.md#Add a store'],
  ['declare a new setting', 'CONTRIBUTING.md#Add a setting'],
  ['emit an event in the past tense', 'CONTRIBUTING.md#Add an event'],
  ['write a migration for a new table', 'CONTRIBUTING.md#Add a table'],
  ['tests with memory database', 'CONTRIBUTING.md#Tests'],
  ['import rules between modules', 'ARCHITECTURE.md#Modules'],
  ['what is an exchange', 'ARCHITECTURE.md#Vocabulary'],
  ['file by file what happens in tools/call', 'ARCHITECTURE.md#How a call flows'],
  ['how are clients told of changes on their streams', 'ARCHITECTURE.md#How clients are notified'],
  ['JSON-RPC error codes', 'ARCHITECTURE.md#Errors'],
  ['-32602', 'ARCHITECTURE.md#Errors'],
];

export function judgedQueries(): JudgedQuery[] {
  return [
    ...ABOUT_THE_PROJECT.map(([query, ...keys]) => ({ query, relevant: new Map(keys.map((key) => [key, 3])) })),
    ...aboutTopics(new Random(11)),
  ];
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** Ways to ask for one of many documents. */
const WAYS: readonly ((topic: Topic, site: string) => string)[] = [
  (topic, site) => `${topic.asked} in ${site}?`,
  (topic, site) => `${plain(site)} ${plain(topic.name)}`,
  (topic, site) => `${topic.name} ${site}`.slice(0, -2),
  (topic, site) => `"${topic.name}" ${site}`,
  (topic, site) => `please tell me everything about ${topic.name.toLowerCase()} at our ${site} office`,
];

function aboutTopics(random: Random): JudgedQuery[] {
  return TOPICS.flatMap((topic, position) => {
    const site = random.pick(SITES);
    const ways = [WAYS[position % WAYS.length], WAYS[(position + 2) % WAYS.length]].flatMap((way) => way ?? []);
    const relevant = new Map(SITES.map((one) => [topicKey(topic, one), one === site ? 3 : 1]));
    return ways.map((way) => ({ query: way(topic, site), relevant }));
  });
}
