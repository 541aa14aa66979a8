import { readFileSync } from 'node:fs';

const CLIENTS = new URL('../../libs/admin-ui/src/pages/connect/snippets/clients.json', import.meta.url);
const PAGE = new URL('../../docs/connect.md', import.meta.url);
const PLACE = /(<!-- clients: .* -->\n).*(<!-- \/clients -->)/s;
const SIGN_IN_PAGE = new URL('../../docs/sign-in.md', import.meta.url);
const SIGN_IN_PLACE = /(<!-- sign-in: .* -->\n).*(<!-- \/sign-in -->)/s;
const SIGN_IN_ADDRESS = 'https://agents.example.com/mcp/oauth';
const ADDRESS = 'http://127.0.0.1:5001/mcp';

/** Returns the page about clients, with the snippets that the administration shows. */
export function clientsPage() {
  const { clients, keys, environmentLine } = JSON.parse(readFileSync(CLIENTS, 'utf8'));
  const keyNotes = { ...keys, environment: `${keys.environment} \`${environmentLine}\`` };
  const sections = clients.map((client, index) =>
    sectionOf({
      ...client,
      address: ADDRESS,
      items: [keyNotes[client.key], ...client.notes],
      bullet: '-',
      isOpen: index === 0,
    }),
  );
  return filled(PAGE, PLACE, sections);
}

/** Returns the page about signing in, with what the administration shows for each program. */
export function signInPage() {
  const { signIn } = JSON.parse(readFileSync(CLIENTS, 'utf8'));
  const sections = signIn.map((client) =>
    sectionOf({ ...client, address: SIGN_IN_ADDRESS, items: client.steps, bullet: '1.', isOpen: false }),
  );
  return filled(SIGN_IN_PAGE, SIGN_IN_PLACE, sections);
}

function filled(file, place, sections) {
  const page = readFileSync(file, 'utf8');
  if (!place.test(page)) throw new Error(`${file.pathname.split('/').at(-1)} has no place for clients`);
  return page.replace(place, (_, start, end) => `${start}\n${sections.join('\n')}\n${end}`);
}

function sectionOf({ client, where, language, snippet, address, items, bullet, isOpen }) {
  const text = Array.isArray(snippet) ? snippet.join('\n') : JSON.stringify(snippet, null, 2);
  return `<details${isOpen ? ' open' : ''}>
<summary>${client}: ${/[./]/.test(where) ? `<code>${where}</code>` : where}</summary>

\`\`\`${language}
${text.replaceAll('URL', address)}
\`\`\`

${items.map((item) => `${bullet} ${item}`).join('\n')}

</details>
`;
}
