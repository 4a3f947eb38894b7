// The settings of the home page, and the page around all of its tabs.
import { ChainForm } from '../../../src/ui/home/chain-form';
import type { ChainField } from '../../../src/ui/home/chain-form';
import { HomeFrame } from '../../../src/ui/home/frame';
import type { HomeFrameView } from '../../../src/ui/home/frame';
import { RemoveChainPage, SettingsPage } from '../../../src/ui/home/settings';
import type { SettingsView } from '../../../src/ui/home/settings';
import { SitesTab } from '../../../src/ui/home/sites';
import type { Translate } from '../../../src/ui/i18n';
import { danger, info, warning } from '../../../src/ui/notice';
import { screensOf } from '../screen';
import type { Screen } from '../screen';
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

const shown = { isHidden: false, canTest: false } as const;

const listFields = (translate: Translate): ChainField[] => [
  {
    name: 'rpcUrl',
    label: 'chain.rpcUrl',
    kind: 'text',
    hint: NODE,
    isHidden: true,
    canTest: true,
  },
  { name: 'wsUrl', label: 'chain.wsUrl', kind: 'text', isHidden: false, canTest: true },
  {
    ...shown,
    name: 'gasAuth',
    label: 'chain.gasAuth',
    kind: 'choice',
    value: 'path',
    options: [
      ['default', translate('chain.authDefault')],
      ['path', translate('chain.authPath')],
    ],
  },
  {
    name: 'apiKey',
    label: 'chain.apiKey',
    kind: 'secret',
    isHidden: true,
    canTest: false,
  },
  { ...shown, name: 'apiKeySecret', label: 'chain.apiKeySecret', kind: 'secret' },
  { ...shown, name: 'factory', label: 'chain.factory', kind: 'text', value: SPENDER },
];

const tabs: HomeFrameView['tabs'] = [
  { name: 'gas', label: 'home.tab.gas', isOpen: false },
  { name: 'accounts', label: 'home.tab.accounts', isOpen: false },
  { name: 'activity', label: 'home.tab.activity', isOpen: false },
  { name: 'requests', label: 'home.tab.requests', isOpen: false },
  { name: 'sites', label: 'home.tab.sites', isOpen: true },
  { name: 'settings', label: 'home.tab.settings', isOpen: false },
];

const frame: Omit<HomeFrameView, 'translate' | 'content'> = {
  tabs,
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
  {
    view: 'ChainForm',
    state: 'of a network',
    draw: (translate) =>
      ChainForm({
        translate,
        chain: MAINNET,
        fields: listFields(translate),
        form: EMPTY_FORM,
      }),
  },
  ...screensOf(RemoveChainPage, { 'of a network': { chain: MAINNET } }),
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
