// A page of Chromium with a small dapp over the built provider, whatever its address.
import { readFile } from 'node:fs/promises';

import type { Browser, Page } from 'playwright-core';

const DAPP = `
  <button>Connect</button> <p></p>
  <script type="module">
    import { createProvider } from '/provider.js';
    const provider = createProvider();
    const show = (text) => (document.querySelector('p').textContent = text);
    document.querySelector('button').onclick = () => {
      const asked = provider.request({ method: 'eth_requestAccounts' });
      asked.then(show, ({ code }) => show(code === 4001 ? 'You refused' : code));
    };
  </script>
`;

/** Opens a page that shows the dapp wherever it goes. */
export async function openDappPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  const provider = await readFile('dist/provider/index.js', 'utf8');
  await page.route('**/*', async (route) =>
    route.request().url().endsWith('/provider.js')
      ? route.fulfill({ body: provider, contentType: 'text/javascript' })
      : route.fulfill({ body: DAPP, contentType: 'text/html' }),
  );
  return page;
}
