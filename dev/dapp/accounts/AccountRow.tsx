/** @jsxImportSource preact */
// An account in the list.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { JSX } from 'preact';

import { Button, CopyButton } from '../components';
import { shorten } from '../format';
import { useSession } from '../session';
import { describeType } from './account-type';
import type { ChainFacts } from './chain-facts';

/** What a row is given. */
type RowProps = {
  account: KeyringAccount;
  facts: ChainFacts;
  onFund: (() => void) | undefined;
  onExport: () => void;
  onDelete: () => void;
};

/** Draw it. */
export function AccountRow({
  account,
  facts: { balance, deployment },
  onFund,
  onExport,
  onDelete,
}: RowProps): JSX.Element {
  const { selected, select } = useSession();
  const short = shorten(account.address);
  const isSelected = account.id === selected?.id;
  return (
    <li class={isSelected ? 'row selected' : 'row'}>
      <div class="row-main">
        <span class="kind">{describeType(account)}</span>
        <span class="mono wrap">{account.address}</span>
        <CopyButton text={account.address} label={`address ${short}`} />
      </div>
      <dl class="facts row-facts">
        <dt>Balance</dt>
        <dd class="num">{balance}</dd>
        <dt>Contract</dt>
        <dd>{deployment}</dd>
      </dl>
      <div class="actions row-actions">
        <Button
          kind="quiet"
          label={isSelected ? `Chosen ${short}` : `Choose ${short}`}
          isDisabled={isSelected}
          onClick={() => select(account.id)}
        >
          {isSelected ? 'Chosen' : 'Choose'}
        </Button>
        {onFund && (
          <Button kind="quiet" label={`Give 10 ETH to ${short}`} onClick={onFund}>
            Give 10 ETH
          </Button>
        )}
        <Button kind="quiet" label={`Export ${short}`} onClick={onExport}>
          Export
        </Button>
        <Button kind="quiet" label={`Delete ${short}`} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </li>
  );
}
