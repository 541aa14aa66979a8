import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';

const FROM_VIEW = 'fromView';

/** Transport between a view in a sandboxed frame of a page, and the bridge of an assistant, which runs in this process. */
export class FrameTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  private constructor(
    private readonly page: Page,
    private readonly html: string,
  ) {}

  /** @param policy the content security policy that the assistant sets for the view */
  static async open(page: Page, html: string, policy: string): Promise<FrameTransport> {
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    const transport = new FrameTransport(page, html.replace('<head>', `<head>${meta}`));
    await page.exposeFunction(FROM_VIEW, (message: JSONRPCMessage) => transport.onmessage?.(message));
    return transport;
  }

  async start(): Promise<void> {}

  /** Loads the view, which then sends its initialization request. */
  async load(): Promise<void> {
    await this.page.setContent('<iframe sandbox="allow-scripts" style="width: 600px; height: 600px"></iframe>');
    await this.page.evaluate(`
      const frame = document.querySelector('iframe');
      addEventListener('message', ({ data, source }) => source === frame.contentWindow && ${FROM_VIEW}(data));
      frame.srcdoc = ${JSON.stringify(this.html)};
    `);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.page.evaluate(
      `document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(message)}, '*')`,
    );
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
