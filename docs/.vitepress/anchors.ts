// VitePress fails on links to pages that are missing; this fails on anchors that are.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const SITE = 'http://site/';

/**
 * Checks that every anchor which a page of the built site links to exists.
 *
 * @param site - Folder of the built site.
 * @param base - Path that the site is served below, with a slash at either end.
 * @throws {Error} If anchors are missing: it lists them by page.
 */
export async function checkAnchors(site: string, base: string): Promise<void> {
  const files = await readdir(site, { recursive: true });
  const pages = new Map<string, string>();
  for (const path of files.filter((each) => each.endsWith('.html'))) {
    const address = new URL(path.replaceAll('\\', '/'), SITE);
    pages.set(address.href, await readFile(join(site, path), 'utf8'));
  }
  const missing = [...pages].flatMap(([from, html]) =>
    [...html.matchAll(/ href="([^"]*#[^"]+)"/gu)]
      .map(([, link = '']) => new URL(link.replace(base, '/'), from))
      .filter(({ href }) => href.startsWith(SITE))
      .filter(({ href, hash }) => {
        const id = decodeURIComponent(hash.slice(1));
        return pages.get(href.replace(hash, ''))?.includes(` id="${id}"`) !== true;
      })
      .map(({ href }) => `${from} links to ${href}`),
  );
  if (missing.length > 0) throw new Error(`Missing anchors:\n${missing.join('\n')}`);
}
