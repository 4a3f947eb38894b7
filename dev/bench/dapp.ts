// What a user waits for between the click on a dapp's page and the open dialog, asked by the
// provider as dapps do, with a running worker and with a stopped one. Beside it: an empty snap
// that lists its accounts, and the keyrings that `--peer NAME=FOLDER` names. Those have no dialog
// of their own, since MetaMask shows one before it asks them to sign: both sides are asked so.
import { mkdtemp, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import { createProvider } from '../../packages/provider/src';
import { permitOf } from '../demo/documents';
import { configureChain, createAccount, startWorld, type World } from '../demo/world';
import { startJsonRpcServer, toUnknownMethod } from '../stack/server';
import type { Wallet } from '../wallet/wallet';
import { compare, measureTime, type Bench, type Row } from './measure';
import { openSide, OWN, peerSnap, type Side } from './peers/simple';
import { listAccounts } from './signing';
import { TEXT } from './signing-cases';
import { writeEmptySnap } from './worker';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);

const ORIGIN = 'https://dapp.example';

/** At most until the dialog, in ms. */
const LIMITS = { running: 300, stopped: 600 };

const DIALOG = 'personal_sign';

/** What keyrings without a dialog can be asked as well. */
const SAME_WAY = 'personal_sign, by MetaMask';

/** At most so many times what another keyring takes, asked the same way. */
const BESIDE = { atMost: 1.1 };

/** At most so many times what a dialog without a description takes. */
const DESCRIBED = { atMost: 1.15 };

/** Contracts on the main network that a descriptor describes, and one that none does. */
const CONTRACTS = {
  described: {
    weth: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  },
  'not described': {
    weth: '0x00000000000000000000000000000000c0ffee00',
    usdc: '0x00000000000000000000000000000000c0ffee00',
  },
} as const;

type Worker = keyof typeof LIMITS;

/** Does something, and gives the milliseconds that a user waits for it. */
type Wait = () => Promise<number>;

const workers = Object.keys(LIMITS) as Worker[];

/** Measures, beside built snaps by name. */
export async function* benchDapp(peers: ReadonlyMap<string, string>): Bench {
  const folder = await mkdtemp(resolve('dist/empty-'));
  const world = await startWorld();
  // What it does not answer is left out of a dialog at once.
  const mainnet = await startJsonRpcServer({
    name: 'The main network',
    path: '/',
    port: 0,
    open: () => async (method) => {
      if (method !== 'eth_chainId') throw toUnknownMethod(method);
      return Promise.resolve('0x1');
    },
  });
  const others = new Map<string, Side>();
  try {
    const contestants: Record<string, Wait> = {};
    const add = (name: string, wallet: Wallet, wait: Wait): void => {
      for (const worker of workers) {
        contestants[`${name}, ${worker}`] = async () => {
          await (worker === 'stopped' ? wallet.stopSnap() : listAccounts(wallet));
          return wait();
        };
      }
    };
    const { dialogs, described, sign } = await openDapp(world, mainnet.url);
    for (const [name, wait] of Object.entries({ ...dialogs, ...described })) {
      add(name, world.wallet, wait);
    }
    add(SAME_WAY, world.wallet, sign);
    await writeEmptySnap(folder);
    const empty = await openSide({ folder, origin: OWN.origin });
    others.set('empty snap', empty);
    add(
      'empty snap',
      empty.wallet,
      timed(async () => listAccounts(empty.wallet)),
    );
    for (const [name, path] of peers) {
      const peer = await openSide(peerSnap(path));
      others.set(name, peer);
      const address = (await peer.createAccount({})).address.toLowerCase();
      const { keyring } = peer.wallet;
      add(
        name,
        peer.wallet,
        timed(async () => keyring.signPersonalMessage(address, TEXT)),
      );
    }
    const names = Object.keys(dialogs);
    const keepsLimits = (times: Record<string, number>): boolean =>
      names.every((name) =>
        workers.every(
          (worker) => (times[`${name}, ${worker}`] ?? NaN) <= LIMITS[worker],
        ),
      );
    const times = await compare(contestants, { rounds: ROUNDS, isKept: keepsLimits });
    const toRow = (name: string, worker: Worker): Omit<Row, 'theirs'> => ({
      what: `${name}, ${worker} worker`,
      ours: times[`${name}, ${worker}`] ?? NaN,
      unit: 'ms',
    });
    const name = 'From click to dialog';
    const rows = names.flatMap((each) =>
      workers.map((worker) => ({
        ...toRow(each, worker),
        theirs: LIMITS[worker],
        bound: { atMost: 1 },
      })),
    );
    yield { name, ours: 'tollkeeper', theirs: 'limit', rows };
    yield {
      name,
      ours: 'described',
      theirs: 'not described',
      rows: DESCRIBED_METHODS.flatMap((method) =>
        workers.map((worker) => ({
          ...toRow(`${method}, described`, worker),
          what: `${method}, ${worker} worker`,
          theirs: times[`${method}, not described, ${worker}`] ?? NaN,
          bound: DESCRIBED,
        })),
      ),
    };
    for (const theirs of others.keys()) {
      const beside = (peers.has(theirs) ? [SAME_WAY, DIALOG] : [DIALOG]).flatMap(
        (each) =>
          workers.map((worker) => ({
            ...toRow(each, worker),
            theirs: times[`${theirs}, ${worker}`] ?? NaN,
            bound: each === SAME_WAY ? BESIDE : undefined,
          })),
      );
      yield { name, ours: 'tollkeeper', theirs, rows: beside };
    }
  } finally {
    for (const { stop } of others.values()) await stop();
    await world.stop();
    await mainnet.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

// A dapp that is connected, and how long its requests take until their dialog is open.
async function openDapp(
  world: World,
  mainnet: string,
): Promise<Record<'dialogs' | 'described', Record<string, Wait>> & { sign: Wait }> {
  const { wallet, stack } = world;
  await configureChain(world);
  await world.companion.snap('tollkeeper_setChain', [{ chainId: 1, rpcUrl: mainnet }]);
  const { id, address } = await createAccount(world, { type: 'eip155:eoa' });
  await stack.fund(address, '1');
  wallet.connect(ORIGIN);
  wallet.user.onDialog = async (dialog) => {
    if (id in dialog.values) await dialog.fill(id, true);
    await dialog.approve();
  };
  const provider = createProvider({
    ethereum: wallet.site(ORIGIN),
    snapId: wallet.snapId,
  });
  await provider.request({ method: 'eth_requestAccounts' });
  const until =
    (method: string, params: unknown[]): Wait =>
    async () => {
      const opened = measureTime(async () => wallet.user.nextDialog());
      const answer = provider.request({ method, params });
      // A request that fails opens none.
      await Promise.race([opened, answer]);
      const [, time] = await opened;
      await answer;
      return time;
    };
  return {
    dialogs: {
      [DIALOG]: until('personal_sign', [TEXT, address]),
      eth_sendTransaction: until('eth_sendTransaction', [
        { from: address, to: stack.funded.address, value: '0x1' },
      ]),
    },
    described: Object.fromEntries(
      (['described', 'not described'] as const).flatMap((each) => [
        [
          `eth_signTransaction, ${each}`,
          until('eth_signTransaction', [toDeposit(address, CONTRACTS[each].weth)]),
        ],
        [
          `eth_signTypedData_v4, ${each}`,
          until('eth_signTypedData_v4', [
            address,
            toPermit(address, CONTRACTS[each].usdc),
          ]),
        ],
      ]),
    ),
    sign: timed(async () => wallet.keyring.signPersonalMessage(address, TEXT)),
  };
}

/** Methods whose dialogs are measured with and without a description. */
const DESCRIBED_METHODS = ['eth_signTransaction', 'eth_signTypedData_v4'];

// A transaction that lacks nothing, so that no node is asked.
const toDeposit = (from: string, to: string): Record<string, string> => ({
  from,
  to,
  data: '0xd0e30db0',
  value: '0x1',
  chainId: '0x1',
  nonce: '0x0',
  gas: '0xc350',
  maxFeePerGas: '0x3b9aca00',
  maxPriorityFeePerGas: '0x1',
});

const toPermit = (owner: string, token: string): object =>
  permitOf(owner, token, {
    spender: owner,
    value: '1000000',
    nonce: '0',
    deadline: '1900000000',
  });

function timed(work: () => Promise<unknown>): Wait {
  return async () => (await measureTime(work))[1];
}
