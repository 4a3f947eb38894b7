// The READMEs of the libraries, as pages of the site.
import { readFile } from 'node:fs/promises';

const names = ['client', 'playwright', 'provider', 'testing', 'viem', 'wagmi'];

// VitePress takes the loader of a dynamic route as the default export.
// oxlint-disable-next-line import/no-default-export
export default {
  watch: ['../../packages/*/README.md'],
  paths: async () =>
    Promise.all(
      names.map(async (name) => {
        const readme = new URL(`../../packages/${name}/README.md`, import.meta.url);
        return { params: { name }, content: await readFile(readme, 'utf8') };
      }),
    ),
};
