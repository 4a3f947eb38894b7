// The built snap in front of a user who answers dialogs, with an ordinary and a smart account
// that sites were granted, over a node, a bundler and a paymaster that answer as told.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';
import { keccak256 } from 'viem';
import type { Hex } from 'viem';

import { hashUserOperation } from '../../src/eth/sign-user-operation';
import { entryPoints } from '../../src/eth/user-operation';
import type { UserOperation } from '../../src/eth/user-operation';
import { answerRpc } from './answer-rpc';
import type { NodeAnswers } from './fake-node';
import { FEE_ANSWERS } from './fees';
import { startHttpServer } from './http-server';
import { callContracts, ESTIMATE, readOperation } from './operation-bench';
import { paying } from './paymaster-answers';
import { COMPANION, DAPP, installBench, press, toAnswer } from './snap-bench';
import type { Answer, Params, SnapBench } from './snap-bench';
import { stateOf } from './stored-accounts';

/** How a user answers a dialog: by one of its buttons, or by closing its window. */
export type Gesture = 'approve' | 'refuse' | 'close';

/** A call that shows a dialog: the companion's by the keyring or of settings, else a site's. */
export type DialogCall = { method: string; params?: Params };

/** What came of a call; nothing was looked at of a dialog that was closed at once. */
export type Asked = { answer: Answer; content: JSXElement | undefined };

/** A snap with accounts. */
export type World = SnapBench & {
  eoa: KeyringAccount;
  smart: KeyringAccount;
  /** What the wallet's node answers, which is on chain 1; it fails for all else. */
  node: NodeAnswers;
  /** What bundler and paymaster answer, and where. */
  servers: NodeAnswers;
  url: string;
  /** What the node was sent, in order. */
  sent: Hex[];
  /** What the bundler was sent, in order. */
  operations: UserOperation[];
  ask: (call: DialogCall, how: Gesture) => Promise<Asked>;
  /** Press a button that shows a dialog, such as on the home page, and answer that; gives
   * what it shows. */
  press: (
    pressing: () => Promise<void>,
    how: Gesture,
  ) => Promise<JSXElement | undefined>;
  stop: () => Promise<void>;
};

/** The site that asks, by what the user does with its dialogs: each may ask only so often. */
export const sites: Record<Gesture, string> = {
  approve: DAPP,
  refuse: 'https://refused.example',
  close: 'https://closed.example',
};

const VERSION = '0.7';

const SMART = { type: 'eip155:erc4337', entryPoint: VERSION, scopes: ['eip155:1'] };

/** Install the snap, make its accounts and grant them. */
export async function openWorld(): Promise<World> {
  const operations: UserOperation[] = [];
  const servers: NodeAnswers = {
    eth_chainId: '0x1',
    eth_supportedEntryPoints: Object.values(entryPoints).map((each) => each.entryPoint),
    eth_estimateUserOperationGas: ESTIMATE,
    eth_sendUserOperation: ([sending]) => {
      const operation = readOperation(sending, VERSION);
      operations.push(operation);
      return hashUserOperation(operation, { chainId: 1n, entryPoint: VERSION });
    },
    ...paying(VERSION),
  };
  const { url, stop } = await startHttpServer(answerRpc(servers));
  const row = { bundlerUrl: url, paymasterUrl: url };
  const state = { ...stateOf({}), chains: { 'eip155:1': row } };
  const bench = await installBench({ state });
  const sent: Hex[] = [];
  const node = createNode(sent);
  const user = { isClosing: false };
  serve(bench, node, user);
  const eoa = await bench.create();
  const smart = await bench.create(SMART);
  Object.assign(node, { eth_call: callContracts(), eth_getCode: '0x6080' });
  for (const origin of Object.values(sites)) await connect(origin, bench);
  const acts = {
    ask: createAsk({ ...bench, eoa }, user),
    press: createPress(bench, user),
  };
  const parts = { eoa, smart, node, servers, url, sent, operations, stop };
  return { ...bench, ...parts, ...acts };
}

function createNode(sent: Hex[]): NodeAnswers {
  return {
    ...FEE_ANSWERS,
    eth_chainId: '0x1',
    eth_getBalance: '0x8ac7230489e80000',
    eth_getTransactionCount: '0x5',
    // What the smart account does takes 100,000.
    eth_estimateGas: ([call]) =>
      (call as { from: string }).from === entryPoints[VERSION].entryPoint
        ? '0x186a0'
        : '0x5208',
    // No factory is there, so that computed addresses stand.
    eth_call: '0x',
    eth_getCode: '0x',
    eth_sendRawTransaction: ([raw]) => {
      sent.push(raw as Hex);
      return keccak256(raw as Hex);
    },
    eth_getTransactionByHash: null,
    eth_getTransactionReceipt: null,
    // The simulation has no background events.
    snap_getBackgroundEvents: [],
    snap_scheduleBackgroundEvent: 'event',
    snap_cancelBackgroundEvent: null,
  };
}

function serve(
  { snap }: SnapBench,
  node: NodeAnswers,
  user: { isClosing: boolean },
): void {
  snap.mockJsonRpc(({ method, params }) => {
    // A dialog with two buttons of its own cannot be closed in the simulation.
    if (method === 'snap_dialog') return user.isClosing ? null : undefined;
    const told = node[method];
    if (told !== undefined) {
      return typeof told === 'function' ? told((params ?? []) as Json[]) : told;
    }
    if (method.startsWith('eth_')) throw new Error('The node is down.');
    return undefined;
  });
}

function createAsk(
  { snap, eoa }: Pick<World, 'snap' | 'eoa'>,
  user: { isClosing: boolean },
): World['ask'] {
  // A site that is refused again and again has to wait; a yes ends it.
  const makeUp = async (origin: string): Promise<void> => {
    const params = ['Hello', eoa.address];
    const asking = snap.request({ origin, method: 'personal_sign', params });
    const dialog = await asking.getInterface();
    await press(dialog, 'approve');
    await asking;
  };
  return async ({ method, params = [] }, how) => {
    user.isClosing = how === 'close';
    try {
      const asking = method.startsWith('keyring_')
        ? snap.onKeyringRequest({ origin: COMPANION, method, params })
        : snap.request({
            origin: method.startsWith('tollkeeper_set') ? COMPANION : sites[how],
            method,
            params,
          });
      if (how === 'close') {
        return { answer: toAnswer(await asking), content: undefined };
      }
      const dialog = await asking.getInterface();
      await press(dialog, how);
      return { answer: toAnswer(await asking), content: dialog.content };
    } finally {
      user.isClosing = false;
      if (how !== 'approve') await makeUp(sites[how]);
    }
  };
}

function createPress(
  { snap }: SnapBench,
  user: { isClosing: boolean },
): World['press'] {
  return async (pressing, how) => {
    user.isClosing = how === 'close';
    try {
      const pressed = pressing();
      if (how === 'close') {
        await pressed;
        return undefined;
      }
      // Any request gives the dialog that is open, whoever has shown it.
      const other = snap.request({ origin: sites.approve, method: 'eth_accounts' });
      const dialog = await other.getInterface();
      await press(dialog, how);
      await pressed;
      return dialog.content;
    } finally {
      user.isClosing = false;
    }
  };
}

async function connect(origin: string, { snap }: SnapBench): Promise<void> {
  const asking = snap.request({ origin, method: 'eth_requestAccounts' });
  const dialog = await asking.getInterface();
  const boxes = JSON.stringify(dialog.content).match(/[0-9a-f]{8}-[0-9a-f-]{27}/gu);
  for (const name of new Set(boxes)) await dialog.clickElement(name);
  await press(dialog, 'approve');
  await asking;
}
