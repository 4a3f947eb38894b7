/** @jsxImportSource preact */
// Accounts: what there is, making more, bringing them back, who may see them.
import type { JSX } from 'preact';

import { Section } from '../components';
import { AccountList } from './AccountList';
import { Create } from './Create';
import { Grants } from './Grants';
import { Import } from './Import';
import { Restore } from './Restore';

/** Draw the section. */
export function Accounts(): JSX.Element {
  return (
    <Section
      id="accounts"
      title="Accounts"
      lead="Keys come from your wallet’s own entropy, or from an import. MetaMask asks you about each change."
    >
      <AccountList />
      <div class="cards">
        <Create />
        <Import />
        <Restore />
        <Grants />
      </div>
    </Section>
  );
}
