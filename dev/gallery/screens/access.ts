// Who may see accounts, and who may have a key.
import { ConnectConfirmation } from '../../../src/ui/confirm/connect';
import { ExportConfirmation } from '../../../src/ui/confirm/export';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import { LONG_SITE, OWN, SITE, SMART } from './people';

const account = (label: string, isChosen = false) => ({ id: label, label, isChosen });

/** Screens of access. */
export const accessScreens: Screen[] = [
  ...screensOf(ConnectConfirmation, {
    'one account': { origin: SITE, accounts: [account(`Savings (${OWN})`)] },
    'several accounts': {
      origin: SITE,
      accounts: [
        account(`Savings (${OWN})`, true),
        account(`Everyday (${SMART})`),
        account(`${'A name without any blank in it '.replaceAll(' ', '')}(${SMART})`),
      ],
    },
    'a long name': { origin: LONG_SITE, accounts: [account(`Savings (${OWN})`)] },
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
