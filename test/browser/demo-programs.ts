import { ADMIN_PASSWORD, type TestService } from '../support/service.js';
import { ProgramMemory, SignInBrowser } from '../support/sign-in-browser.js';
import { linkOf } from './program.js';

const CALLBACK = 'http://127.0.0.1:33418/callback';
const EDITOR = { client_name: 'Code editor' };

export async function signInAsATeamWould(service: TestService): Promise<void> {
  for (const memory of [new ProgramMemory(CALLBACK, EDITOR), new ProgramMemory('cursor://anysphere.cursor/callback')]) {
    const browser = new SignInBrowser(service.origin, 'admin', ADMIN_PASSWORD);
    await browser.signIn(await linkOf(service, memory));
  }
  await service.admin('POST', 'programs', {
    name: 'ChatGPT',
    redirectUris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    hasSecret: true,
  });
}

/** Returns the authorization URL to which a program sends its user. */
export const linkOfAProgram = async (service: TestService): Promise<string> =>
  (await linkOf(service, new ProgramMemory(CALLBACK, EDITOR))).href;
