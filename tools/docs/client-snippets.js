import { readFileSync } from 'node:fs';

const CLIENTS = new URL('../../libs/admin-ui/src/pages/connect/snippets/clients.json', import.meta.url);
const PAGE = new URL('../../docs/connect.md', import.meta.url);
const PLACE = /(<!-- clients: .* -->\n).*(<!-- \/clients -->)/s;
const ADDRESS = 'http://127.0.0.1:5001/mcp';

/** Returns the page about clients, with the snippets that the administration shows. */
export function clientsPage() {
  const { clients, keys, environmentLine } = JSON.parse(readFileSync(CLIENTS, 'utf8'));
  const keyNotes = { ...keys, environment: `${keys.environment} \`${environmentLine}\`` };
  const page = readFileSync(PAGE, 'utf8');
  if (!PLACE.test(page)) throw new Error('docs/connect.md has no place for clients');
  return page.replace(
    PLACE,
    (_, start, end) =>
      `${start}\n${clients.map((client, index) => sectionOf(client, keyNotes, index)).join('\n')}\n${end}`,
  );
}

function sectionOf({ client, where, language, key, snippet, notes }, keyNotes, index) {
  const text = Array.isArray(snippet) ? snippet.join('\n') : JSON.stringify(snippet, null, 2);
  return `<details${index === 0 ? ' open' : ''}>
<summary>${client}: ${/[./]/.test(where) ? `<code>${where}</code>` : where}</summary>

\`\`\`${language}
${text.replaceAll('URL', ADDRESS)}
\`\`\`

${[keyNotes[key], ...notes].map((note) => `- ${note}`).join('\n')}

</details>
`;
}
