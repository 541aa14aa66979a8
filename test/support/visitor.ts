interface Page {
  url: string;
  status: number;
  location: string | null;
  body: string;
}

/** A browser that keeps cookies per origin and does not follow redirects by itself. */
export class Visitor {
  private readonly jars = new Map<string, Map<string, string>>();

  async get(url: string | URL, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Page> {
    const { origin, href } = new URL(url);
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    const cookie = this.cookieFor(origin);
    const response = await fetch(href, { ...init, redirect: 'manual', headers: { cookie, ...headers } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    return {
      url: href,
      status: response.status,
      location: location === null ? null : new URL(location, href).href,
      body: await response.text(),
    };
  }

  /** Returns the Cookie header for an origin. */
  cookieFor(origin: string): string {
    return [...(this.jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Follows redirects to the end, or until `isEnough` is true for a URL; returns the last URL. */
  async follow(url: string | URL, isEnough: (url: URL) => boolean = () => false): Promise<string> {
    let next = String(url);
    for (let hops = 0; hops < 20; hops += 1) {
      if (isEnough(new URL(next))) return next;
      const { location } = await this.get(next);
      if (location === null) return next;
      next = location;
    }
    throw new Error(`too many redirects: ${next}`);
  }

  /** Returns the signed-in user as the service reports it; null = nobody. */
  async identity(origin: string): Promise<Record<string, unknown> | null> {
    const { status, body } = await this.get(`${origin}/admin/api/session`);
    return status === 200 ? (JSON.parse(body) as Record<string, unknown>) : null;
  }
}
