// The routes by which requests reach the snap.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { HandlerType } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';
import fc, { type Arbitrary } from 'fast-check';

import { POLL } from '../../src/activity/tracker';
import { tabs } from '../../src/home/page';
import { HOME, tabNames } from '../../src/home/tab';
import { ADDRESS, FILLED, MESSAGE } from '../docs/samples';
import { REQUEST_ID } from '../wallet/keyring-requests';
import { COMPANION_ORIGIN } from '../wallet/options';
import { listElements } from '../wallet/screen';
import {
  callsLike,
  companionSeeds,
  keyringSeeds,
  placeCalls,
  siteSeeds,
  type Call,
  type Place,
  type Seed,
} from './calls';
import {
  anyIndex,
  anyJunk,
  anyName,
  anySpoil,
  anyText,
  chance,
  hexDigits,
  itemAt,
  mix,
  sometimes,
} from './values';

type Now = {
  page: { id: string; content: () => JSXElement };
  socketId: string | undefined;
};

export type FuzzRequest = {
  handler: `${HandlerType}`;
  origin: string;
  request: Call;
  /** Whether to stop the worker first, as MetaMask stops idle workers. */
  isFresh?: boolean;
};

export type Plan = (now: Now) => FuzzRequest;

type Route = (place: Place) => Arbitrary<Plan>;

/** Sites with grants. There are many, because the snap limits the rate of each. */
export const GRANTED = Array.from(
  { length: 40 },
  (_, index) => `https://g${index}.example`,
);

const STRANGERS = [
  'https://stranger.example',
  'http://localhost:8000.example',
  'http://localhost:8001',
  'npm:other-snap',
  'local:http://localhost:8081',
  'https://xn--pple-43d.example',
  'http://localhost:8000/',
  'https://stranger.example:8443',
  'chrome-extension://abc',
];

const always =
  (request: FuzzRequest): Plan =>
  () =>
    request;

/** Sites with and without grants. Some imitate other origins. */
const dapp: Route = (place) => {
  const seeds = mix(
    [95, fc.constantFrom(...siteSeeds)],
    [5, fc.constantFrom(...companionSeeds)],
  );
  const origin = mix(
    [85, fc.constantFrom(...GRANTED)],
    [15, fc.constantFrom(...STRANGERS)],
  );
  // A request can contain its account and chain in an envelope around the params.
  const scopes = ['0x1', 'eip155:10', 31_337, '0x0', 'x', null];
  const envelope = sometimes(8, fc.record({ scope: fc.constantFrom(...scopes) }));
  return fc
    .tuple(placeCalls(callsLike(seeds), place), origin, envelope)
    .map(([call, site, scope]) => {
      const { params } = call;
      const isWrapped = scope !== undefined && Array.isArray(params);
      const request = isWrapped ? { ...call, params: { ...scope, params } } : call;
      return always({ handler: 'onRpcRequest', origin: site, request });
    });
};

const companion: Route = (place) => {
  const snap = mix<Seed>(
    [20, fc.constantFrom(...companionSeeds)],
    [2, secretChains(place)],
    [1, fc.constantFrom(...siteSeeds)],
  );
  const keyring = mix([30, keyringSeeds(place)], [2, secretAccounts]);
  const plan =
    (handler: FuzzRequest['handler']) =>
    (request: Call): Plan =>
      always({ handler, origin: COMPANION_ORIGIN, request });
  return mix(
    [55, placeCalls(callsLike(snap), place).map(plan('onRpcRequest'))],
    [45, placeCalls(callsLike(keyring), place).map(plan('onKeyringRequest'))],
  );
};

// The snap must not return the keys of these accounts.
const secretAccounts: Arbitrary<Seed> = fc
  .tuple(
    hexDigits(64),
    fc.constantFrom<Record<string, Json>>(
      {},
      { type: 'eip155:erc4337', scopes: ['eip155:1'], entryPoint: '0.8', salt: '0x1' },
    ),
  )
  .map(([digits, options]) => ({
    method: 'keyring_createAccount',
    params: { options: { ...options, privateKey: `0x${digits}` } },
  }));

function secretChains({ url }: Place): Arbitrary<Seed> {
  const own = hexDigits(24).map((digits) => `own-${digits}`);
  const whole = fc.record<Record<string, Json>>({
    chainId: fc.constantFrom<Json>('0x1', 10, 'eip155:5'),
    rpcUrl: fc.constant(`${url}/node`),
    gasBaseUrl: fc.constant(`${url}/gas`),
    gasAuth: fc.constantFrom('basic', 'path'),
    apiKey: own,
    apiKeySecret: own,
    bundlerApiKey: own,
    bundlerUrl: fc.constant(`${url}/bundler`),
    paymasterUrl: fc.constant(`${url}/paymaster`),
    wsUrl: fc.constantFrom<Json>(`${url.replace('http', 'ws')}/node`, null),
    entryPoint: fc.constant('0.7'),
    paymasterContext: fc.constant({ policy: 'x' }),
  });
  const part = own.map((apiKey) => ({ chainId: 5, apiKey }));
  return fc
    .oneof(whole, part)
    .map((chain) => ({ method: 'tollkeeper_setChain', params: [chain] }));
}

const metamask: Route = (place) =>
  placeCalls(callsLike(keyringSeeds(place)), place).map((call) => {
    const request = { jsonrpc: '2.0', id: REQUEST_ID, ...call };
    return always({ handler: 'onKeyringRequest', origin: 'metamask', request });
  });

const insight: Route = () => {
  const origin = fc.oneof(
    fc.constantFrom<Json>('https://dapp.example', null, 'metamask'),
    anyText,
  );
  // The platform passes on only objects.
  const spoil = fc.tuple(anySpoil, chance(90)).map(([change, isSpoiled]) => {
    return (fields: Record<string, Json>): Json => {
      const value = isSpoiled ? change(fields) : fields;
      const isFields = typeof value === 'object' && !Array.isArray(value);
      return isFields && value !== null ? value : {};
    };
  });
  const { gasLimit, ...json } = FILLED;
  const chains = ['eip155:1', 'eip155:10', 'eip155:0', 'eip155:abc', 'solana:x'];
  const transaction = fc
    .tuple(spoil, fc.constantFrom(...chains), origin)
    .map(([change, chainId, transactionOrigin]) => {
      const fields = change({ ...json, gas: gasLimit ?? '0x5208' });
      const params = { transaction: fields, chainId, transactionOrigin };
      return toInsight('onTransaction', params);
    });
  const typed = siteSeeds
    .filter(({ method }) => method.startsWith('eth_signTypedData'))
    .map(({ method, params }) => ({
      from: ADDRESS,
      data: (Array.isArray(params) ? params[1] : null) ?? null,
      signatureMethod: method,
    }));
  const text = { from: ADDRESS, data: MESSAGE, signatureMethod: 'personal_sign' };
  const asked = mix<Record<string, Json>>(
    [7, fc.constantFrom(...typed)],
    [3, fc.constant(text)],
  );
  const signature = fc
    .tuple(spoil, asked, origin)
    .map(([change, fields, signatureOrigin]) =>
      toInsight('onSignature', { signature: change(fields), signatureOrigin }),
    );
  return fc.oneof(transaction, signature);
};

function toInsight(handler: FuzzRequest['handler'], params: Json): Plan {
  return always({ handler, origin: 'metamask', request: { method: '', params } });
}

const cron: Route = () =>
  fc
    .record({
      method: fc.oneof(fc.constantFrom(POLL, HOME, HOME, `${HOME}x`), anyName),
      spoil: anySpoil,
      isRight: chance(40),
    })
    .map(({ method, spoil, isRight }): Plan => ({ page }) => {
      const params = isRight ? [page.id] : spoil([page.id]);
      const isLegal = typeof params === 'object' && params !== null;
      const request = isLegal ? { method, params } : { method };
      return { handler: 'onCronjob', origin: 'metamask', request };
    });

const socket: Route = ({ url }) => {
  const answer = { jsonrpc: '2.0', id: 1, result: '0x1' };
  const news = {
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription: '0x1', result: { number: '0x1', baseFeePerGas: '0x1' } },
  };
  const json = fc
    .tuple(fc.constantFrom<Json>(answer, [answer, answer], news), anySpoil)
    .map(([value, spoil]) => JSON.stringify(spoil(value)));
  const bytes = fc.array(fc.integer({ min: -20, max: 279 }), { maxLength: 20 });
  const data = mix<Json>(
    [64, json.map((message) => ({ type: 'text', message }))],
    [16, anyText.map((message) => ({ type: 'text', message }))],
    [20, bytes.map((message) => ({ type: 'binary', message }))],
  );
  const event = mix<Record<string, Json>>(
    [3, data.map((value) => ({ type: 'message', data: value }))],
    [1, fc.constant({ type: 'open' })],
    [
      1,
      fc.record({
        type: fc.constant('close'),
        code: fc.nat(5_000),
        reason: anyText,
        wasClean: fc.constant(null),
      }),
    ],
  );
  const orOther = sometimes(20, anyText);
  return fc
    .tuple(event, orOther, orOther)
    .map(([fields, otherId, origin = url]): Plan => ({ socketId = 'none' }) => {
      const params = { event: { ...fields, id: otherId ?? socketId, origin } };
      const request = { method: '', params };
      return { handler: 'onWebSocketEvent', origin: 'metamask', request };
    });
};

const lifecycle: Route = () =>
  fc
    .record({
      handler: fc.constantFrom(
        ...(['onStart', 'onStart', 'onActive', 'onInactive'] as const),
        ...(['onInstall', 'onUpdate', 'onHomePage'] as const),
      ),
      params: sometimes(50, fc.tuple(anyJunk)),
      isFresh: chance(10),
    })
    .map(({ handler, params, isFresh }) =>
      always({
        handler,
        origin: 'metamask',
        isFresh,
        request: { method: '', ...(params && { params }) },
      }),
    );

const userInput: Route = () =>
  fc.tuple(anyInput, sometimes(5, anyText)).map(
    ([input, otherId]): Plan =>
      ({ page }) =>
        input(otherId ?? page.id, page.content()),
  );

/** The routes, with their shares per hundred cases. */
export const routes: Record<string, [share: number, plan: Route]> = {
  dapp: [38, dapp],
  companion: [18, companion],
  metamask: [18, metamask],
  'user input': [10, userInput],
  insight: [5, insight],
  cron: [4, cron],
  socket: [4, socket],
  lifecycle: [3, lifecycle],
};

export type Input = (id: string, content: JSXElement) => FuzzRequest;

/** Arguments after the colon in the names of controls. */
const ARGUMENTS = ['', 'x', 'x y', '0x', 'eip155:1', 'export', 'create', '-1', '1e9'];

/** Names of controls, whether shown or not. */
const CONTROLS: readonly string[] = [
  'approve',
  'approve:1',
  'refuse',
  POLL,
  'page:1:1',
  'page:999999999:1',
  'page:-1:1',
  'home.',
  'home..',
  'home.__proto__.x',
  'home.accounts.__proto__',
  'home.accounts.constructor:x',
  ...tabNames.map((tab) => `home.frame.tab:${tab}`),
  ...ARGUMENTS.map((argument) => `home.frame.page:${argument}`),
  ...Object.entries(tabs).flatMap(([tab, { actions }]) =>
    Object.keys(actions).flatMap((action) => [
      `home.${tab}.${action}`,
      ...ARGUMENTS.map((argument) => `home.${tab}.${action}:${argument}`),
    ]),
  ),
];

const anyFile: Arbitrary<Json> = fc
  .record({
    name: anyText,
    contents: fc.oneof(anyText, fc.constant('eyJ2ZXJzaW9uIjozfQ==')),
    size: fc.constantFrom(0, -1, 1e9, undefined),
  })
  .map(({ size, contents, ...file }) => ({
    ...file,
    contents,
    contentType: 'application/json',
    size: size ?? contents.length,
  }));

/** The kinds of values that the platform passes on. */
const anyValue: Arbitrary<Json> = mix<Json>(
  [2, anyText],
  [1, fc.boolean()],
  [1, fc.constant(null)],
  [1, hexDigits(64).map((digits) => `0x${digits}`)],
  [1, fc.constantFrom('eip155:eoa', 'eip155:erc4337', 'eip155:1', '0.7', '1', 'high')],
  [
    1,
    fc.tuple(anyText, hexDigits(40)).map(([accountId, digits]) => ({
      accountId,
      addresses: [`eip155:1:0x${digits}`],
    })),
  ],
);

/** Draws input events, including some that no user can cause. */
export const anyInput: Arbitrary<Input> = fc
  .record({
    shown: sometimes(60, anyIndex),
    control: fc
      .tuple(fc.constantFrom(...CONTROLS), chance(20), anyText)
      .map(([name, isLonger, text]) => (isLonger ? name + text.slice(0, 100) : name)),
    type: mix<string>(
      [7, fc.constantFrom(...Object.values(UserInputEventType))],
      [3, fc.constant(UserInputEventType.ButtonClickEvent)],
    ),
    isNamed: chance(98),
    file: mix<Json>([8, anyFile], [2, fc.constant(null)]),
    value: anyValue,
    fields: fc.array(mix([9, anyValue], [1, anyFile]), { minLength: 1, maxLength: 8 }),
    isFilled: anyIndex,
    more: anyName,
    context: fc.constantFrom<Json>(null, {}, { tab: 'x' }, { tab: 'gas', page: -1 }),
  })
  .map((drawn): Input => (id, content) => {
    const names = listElements(content).flatMap(({ element: { props } }) =>
      'name' in props && typeof props.name === 'string' ? [props.name] : [],
    );
    const { type, shown } = drawn;
    const isShown = shown !== undefined && names.length > 0;
    const name = isShown ? itemAt(names, shown) : drawn.control;
    const filled = [...names, drawn.more].filter(
      (_, index) => (drawn.isFilled >> (index % 31)) & 1,
    );
    const byField = Object.fromEntries(
      filled.map((field, index) => [field, itemAt(drawn.fields, index)]),
    );
    const events: Record<string, Json> = {
      [UserInputEventType.ButtonClickEvent]: drawn.isNamed ? { type, name } : { type },
      [UserInputEventType.FileUploadEvent]: { type, name, file: drawn.file },
      [UserInputEventType.InputChangeEvent]: { type, name, value: drawn.value },
    };
    const event = events[type] ?? { type, name, value: byField };
    const request = { method: ' ', params: { id, event, context: drawn.context } };
    return { handler: 'onUserInput', origin: 'metamask', request };
  });
