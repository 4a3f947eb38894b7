// Screens of the first run, and of access to accounts, keys and settings.
import { News, Welcome } from '../../../src/home/greeting';
import {
  ChangesConfirmation,
  ConnectConfirmation,
  ExportConfirmation,
  FactoryConfirmation,
  FirstAccountConfirmation,
  UnlistedConfirmation,
} from '../../../src/ui/access';
import type { AccountChoice } from '../../../src/ui/access';
import { screensOf, type Screen } from '../screen';
import { BASE, FRIEND, OWN, SITE, SMART, SPENDER } from './people';

export const account = (
  name: string,
  address: string,
  isChosen = false,
): AccountChoice => {
  const short = `${address.slice(0, 8)}…${address.slice(-6)}`;
  return { id: `account ${address}`, label: `${name} (${short})`, isChosen };
};

const COMPANION = 'http://localhost:8000';

export const accessScreens: Screen[] = [
  ...screensOf(Welcome, {
    'step 1': {},
  }),
  ...screensOf(News, { 'of a version': { version: '0.2.0' } }),
  ...screensOf(FirstAccountConfirmation, { 'no account yet': { origin: SITE } }),
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
  }),
  ...screensOf(ChangesConfirmation, {
    'of a network': {
      title: 'change.chain',
      origin: COMPANION,
      chain: BASE,
      isFactoryUnknown: true,
      changes: [
        {
          label: 'chain.rpcUrl',
          before: 'https://node.example',
          after: `https://${'long-name-of-a-host.'.repeat(4)}example/v3/[redacted]`,
        },
        { label: 'chain.factory', before: SMART, after: SPENDER },
      ],
    },
  }),
  ...screensOf(FactoryConfirmation, {
    'of an account': {
      origin: COMPANION,
      account: SMART,
      name: 'Tollkeeper 1 (EntryPoint 0.7)',
      chain: BASE,
      owner: OWN,
      entryPoint: '0.7',
      factory: SPENDER,
    },
  }),
  ...screensOf(UnlistedConfirmation, {
    'of an account': {
      origin: COMPANION,
      account: SMART,
      name: 'Tollkeeper Smart 1',
      why: 'unsupported',
    },
  }),
  ...screensOf(ExportConfirmation, {
    plain: { origin: COMPANION, account: OWN, name: 'Savings' },
  }),
];
