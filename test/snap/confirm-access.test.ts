// The dialogs of access: which accounts a site sees, and whether a key is given away.
import { ConnectConfirmation } from '../../src/ui/confirm/connect';
import { ExportConfirmation } from '../../src/ui/confirm/export';
import { describeDialogs } from '../support/dialog-rows';
import { COMPANION } from '../support/snap-bench';
import { translate } from '../support/view';

const KEY = expect.stringMatching(/^0x[0-9a-f]{64}$/u) as string;

const shortOf = (address: string): string =>
  `${address.slice(0, 8)}…${address.slice(-6)}`;

describeDialogs({
  'the choice of accounts, those chosen that were granted': {
    call: () => ({
      method: 'wallet_requestPermissions',
      params: [{ eth_accounts: {} }],
    }),
    view: ({ origin, eoa, smart }) =>
      ConnectConfirmation({
        translate,
        origin,
        accounts: [
          {
            id: eoa.id,
            label: `Tollkeeper 1 (${shortOf(eoa.address)})`,
            isChosen: true,
          },
          {
            id: smart.id,
            label: `Tollkeeper Smart 1 (${shortOf(smart.address)})`,
            isChosen: true,
          },
        ],
      }),
    result: [expect.objectContaining({ parentCapability: 'eth_accounts' })],
  },
  'the export of a key': {
    call: ({ eoa: { id } }) => ({ method: 'keyring_exportAccount', params: { id } }),
    view: ({ account }) =>
      ExportConfirmation({
        translate,
        origin: COMPANION,
        account,
        name: 'Tollkeeper 1',
      }),
    result: { privateKey: KEY },
  },
  "the export of a smart account's key": {
    call: ({ smart: { id } }) => ({ method: 'keyring_exportAccount', params: { id } }),
    view: ({ smart }) =>
      ExportConfirmation({
        translate,
        origin: COMPANION,
        account: smart.address as `0x${string}`,
        name: 'Tollkeeper Smart 1',
        owner: smart.options.owner as `0x${string}`,
      }),
    result: { privateKey: KEY },
  },
});
