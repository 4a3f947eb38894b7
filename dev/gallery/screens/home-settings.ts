// The settings of the home page, and the page around all of its tabs.
import { ChainForm } from '../../../src/home/chain-form';
import { GasTab } from '../../../src/home/gas';
import { HomeFrame } from '../../../src/home/page';
import type { HomeFrameView } from '../../../src/home/page';
import { RemoveChainPage, SettingsPage } from '../../../src/home/settings';
import type { SettingsView } from '../../../src/home/settings';
import { SitesTab } from '../../../src/home/sites';
import type { ChainRow } from '../../../src/state/chain-row';
import { danger, info, warning } from '../../../src/ui/notice';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
import { gasWithHistory } from './home-gas';
import { EMPTY_FORM, MAINNET, SEPOLIA, SPENDER } from './people';

const NODE = 'https://mainnet.node.example/v3';

const settings: Omit<SettingsView, 'translate'> = {
  settings: {
    feeLevel: 'medium',
    approvalMode: 'asynchronous',
    secondConfirmation: true,
    notifications: false,
  },
  chains: [
    {
      chain: MAINNET,
      servers: [
        { label: 'chain.rpcUrl', address: `${NODE}/…` },
        { label: 'chain.gasBaseUrl', address: 'https://gas.api.example' },
        {
          label: 'chain.bundlerUrl',
          address: 'https://bundler.example/rpc/of/ethereum',
        },
      ],
    },
    { chain: SEPOLIA, servers: [] },
  ],
  page: 0,
  pages: 2,
  form: EMPTY_FORM,
};

/** A chain with every server; those with a secret in their address are not shown. */
const row: ChainRow = {
  rpcUrl: `${NODE}/secret`,
  wsUrl: 'wss://mainnet.node.example',
  gasBaseUrl: 'https://gas.api.example',
  gasAuth: 'path',
  apiKey: 'a key that is not shown',
  bundlerUrl: 'https://bundler.example/rpc/of/ethereum',
  entryPoint: '0.7',
  factory: SPENDER,
};

const frame: Omit<HomeFrameView, 'translate' | 'content'> = {
  tab: 'sites',
  notices: [],
  isLocked: false,
  totals: { requests: 0, pending: 0 },
};

const framed = (view: typeof frame): Screen['draw'] => {
  return (translate) =>
    HomeFrame({
      ...view,
      translate,
      content: SitesTab({ translate, sites: [], page: 0, pages: 1 }),
    });
};

/** Screens of the settings and of the frame. */
export const homeSettingsScreens: Screen[] = [
  ...screensOf(SettingsPage, {
    'with networks': settings,
    'without networks': { ...settings, chains: [], pages: 1 },
  }),
  ...screensOf(ChainForm, {
    'of a network': { chain: MAINNET, row, form: EMPTY_FORM },
  }),
  ...screensOf(RemoveChainPage, { 'of a network': { chain: MAINNET } }),
  {
    view: 'HomeFrame',
    state: 'around the gas market',
    draw: (translate) =>
      HomeFrame({
        ...frame,
        tab: 'gas',
        translate,
        content: GasTab({ ...gasWithHistory, translate }),
      }),
  },
  { view: 'HomeFrame', state: 'around a tab', draw: framed(frame) },
  {
    view: 'HomeFrame',
    state: 'with notices',
    draw: framed({
      ...frame,
      totals: { requests: 2, pending: 1 },
      notices: [
        danger('The node at https://mainnet.node.example is on another network.'),
        warning('The password must have 12 to 1024 characters.'),
        info('The settings were saved.'),
      ],
    }),
  },
  ...screensOf(HomeFrame, {
    locked: { ...frame, isLocked: true, totals: undefined, content: undefined },
  }),
];
