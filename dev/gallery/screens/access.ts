// Who may see accounts, and who may have a key.
import { ConnectConfirmation } from '../../../src/ui/confirm/connect';
import type { AccountChoice } from '../../../src/ui/confirm/connect';
import { ExportConfirmation } from '../../../src/ui/confirm/export';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import { FRIEND, LONG_SITE, OWN, SITE, SMART } from './people';

const account = (name: string, address: string, isChosen = false): AccountChoice => {
  const short = `${address.slice(0, 8)}…${address.slice(-6)}`;
  return { id: `account ${address}`, label: `${name} (${short})`, isChosen };
};

/** Screens of access. */
export const accessScreens: Screen[] = [
  ...screensOf(ConnectConfirmation, {
    'one account': { origin: SITE, accounts: [account('Tollkeeper 1', OWN)] },
    'several accounts': {
      origin: SITE,
      accounts: [
        account('Tollkeeper 1', OWN, true),
        account('Tollkeeper 2', SMART),
        account('Anamewithoutanyblankinitwhichislong', FRIEND),
      ],
    },
    'a long name': { origin: LONG_SITE, accounts: [account('Tollkeeper 1', OWN)] },
  }),
  ...screensOf(ExportConfirmation, {
    plain: { origin: 'http://localhost:8000', account: OWN, name: 'Savings' },
    'of a smart account': {
      origin: 'http://localhost:8000',
      account: SMART,
      name: 'Everyday',
      owner: OWN,
    },
  }),
];
