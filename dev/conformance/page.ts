// docs/reference/conformance.md, which shows the results.
import { formatTable } from '../../packages/conformance/src';
import type { Columns } from './columns';

export const CONFORMANCE_PAGE = 'docs/reference/conformance.md';

const INTRODUCTION = `# Conformance

\`npm run conformance\` checks four providers against EIP-1193, EIP-6963, EIP-2255 and EIP-5792 (version 2.0.0), and writes this page. The kit is \`packages/conformance\`. It runs against any provider, in a page or in Node.

- **Tollkeeper**: \`createProvider()\` over the snap in MetaMask's packages, with an ordinary account.
- **Smart account**: the same with a smart account (EntryPoint 0.8).
- **In tests**: \`createTollkeeper()\` of [tollkeeper-snap/testing](../../packages/testing/README.md), on anvil. It cannot be removed, so one case does not apply.
- **MetaMask**: MetaMask's provider (\`@metamask/providers\`) over its published packages, without the snap. Accounts, signatures, permissions of sites and batches are part of the extension and not of its packages, so most cases do not apply.
`;

export function formatPage(columns: Columns): string {
  return `${INTRODUCTION}\n${formatTable(columns)}\n`;
}
