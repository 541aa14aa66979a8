import type { RequestListener } from 'node:http';

/** Returns a listener that gets the paths of requests: they may come with the whole address (RFC 9112, section 3.2.2). */
export function inOriginForm(listener: RequestListener): RequestListener {
  return (req, res) => {
    const { url = '/' } = req;
    if (!url.startsWith('/')) req.url = url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
    listener(req, res);
  };
}
