// The documentation site: `npm run docs:dev` and `npm run docs:build`, into dist/docs.
import { defineConfig, type DefaultTheme } from 'vitepress';

import { checkAnchors } from './anchors';

const pages = (
  text: string,
  folder: string,
  items: readonly (readonly [text: string, page: string])[],
): DefaultTheme.SidebarItem => ({
  text,
  collapsed: false,
  items: items.map(([title, page]) => ({ text: title, link: `/${folder}/${page}` })),
});

// READMEs are pages of the site; on code hosts the links lead to the files.
function toSitePath(link: string): string {
  return link
    .replace(/^\.\.\/\.\.\/docs\//u, '../')
    .replace(/^(?:\.\.\/\.\.\/packages|\.\.)\/(\w+)\/README\.md/u, '../packages/$1.md');
}

function toSlug(title: string): string {
  const letters = title.toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '');
  return letters.trim().replaceAll(' ', '-');
}

// VitePress takes its configuration as the default export.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  title: 'Tollkeeper',
  description: 'A MetaMask Snap for accounts, fair gas fees and user operations.',
  // A host of pages may serve the site below a path: `/tollkeeper/`.
  base: process.env.DOCS_BASE ?? '/',
  outDir: '../dist/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  buildEnd: ({ outDir, site }) => checkAnchors(outDir, site.base),
  // Anchors as code hosts make them, so that links work on both.
  markdown: {
    anchor: { slugify: toSlug },
    config: (markdown) => {
      const normalize = markdown.normalizeLink.bind(markdown);
      markdown.normalizeLink = (link) => normalize(toSitePath(link));
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Get started', link: '/start/users' },
      { text: 'Guides', link: '/guides/transactions' },
      { text: 'Reference', link: '/reference/methods' },
      { text: 'Security', link: '/security/threat-model' },
    ],
    sidebar: [
      pages('Get started', 'start', [
        ['For users', 'users'],
        ['For dapps', 'dapps'],
        ['For snap developers', 'snap-developers'],
      ]),
      pages('Guides', 'guides', [
        ['Libraries', 'libraries'],
        ['Transactions', 'transactions'],
        ['Fees', 'fees'],
        ['Batches', 'batches'],
        ['Delegation', 'delegation'],
        ['User operations', 'user-operations'],
        ['Paymasters', 'paymasters'],
        ['Recovery', 'recovery'],
        ['Gas service', 'gas-service'],
        ['Companion page', 'companion-page'],
        ['Testing', 'testing'],
        ['Tollkeeper Insight', 'insight'],
        ['Insight: support', 'insight-support'],
      ]),
      pages('Packages', 'packages', [
        ['Provider', 'provider'],
        ['wagmi', 'wagmi'],
        ['viem', 'viem'],
        ['Testing', 'testing'],
        ['Playwright', 'playwright'],
        ['Client', 'client'],
      ]),
      pages('Reference', 'reference', [
        ['Methods', 'methods'],
        ['Keyring methods', 'keyring'],
        ['Companion methods', 'companion'],
        ['Types', 'schemas'],
        ['Errors', 'errors'],
        ['Configuration', 'configuration'],
        ['Client API', 'api/client/'],
        ['Provider API', 'api/provider/'],
        ['Testing API', 'api/testing/'],
        ['Playwright API', 'api/playwright/'],
        ['viem API', 'api/viem/'],
        ['wagmi API', 'api/wagmi/'],
        ['What is read', 'known'],
        ['Client and service', 'service'],
        ['Compatibility', 'compatibility'],
        ['Clients', 'clients'],
      ]),
      pages('Security', 'security', [
        ['Threat model', 'threat-model'],
        ['Keys', 'keys'],
        ['Audit scope', 'audit-scope'],
        ['Permissions', 'permissions'],
        ['Known limits', 'limits'],
      ]),
      pages('Internals', 'internals', [
        ['Architecture', 'architecture'],
        ['The bundle', 'bundle'],
        ['Screens', 'screens'],
        ['What was sent', 'what-was-sent'],
        ['Clear signing', 'clear-signing'],
        ['Dependencies', 'dependencies'],
        ['Benchmarks', 'benchmarks'],
        ['Faults', 'faults'],
        ['Fuzzing', 'fuzzing'],
        ['Odd servers', 'odd-servers'],
        ['Releases', 'releases'],
      ]),
    ],
  },
});
