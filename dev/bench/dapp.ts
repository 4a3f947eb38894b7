// What a user waits for between the click on a dapp's page and the open dialog, asked by the
// provider as dapps do, with a running worker and with a stopped one.
import { createProvider } from '../../packages/provider/src';
import { permitOf } from '../demo/documents';
import { configureChain, createAccount, startWorld, type World } from '../demo/world';
import { startJsonRpcServer, toUnknownMethod } from '../stack/server';
import { compare, measureTime, type Bench, type Row } from './measure';
import { listAccounts } from './signing';
import { TEXT } from './signing-cases';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);

const ORIGIN = 'https://dapp.example';

/** At most until the dialog, in ms. */
const LIMITS = { running: 300, stopped: 600 };

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

/** Measures dialogs beside their limits, and described ones beside others. */
export async function* benchDapp(): Bench {
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
  try {
    const { wallet } = world;
    const { dialogs, described } = await openDapp(world, mainnet.url);
    const contestants: Record<string, Wait> = {};
    for (const [name, wait] of Object.entries({ ...dialogs, ...described })) {
      for (const worker of workers) {
        contestants[`${name}, ${worker}`] = async () => {
          await (worker === 'stopped' ? wallet.stopSnap() : listAccounts(wallet));
          return wait();
        };
      }
    }
    const limited = Object.keys(dialogs).flatMap((name) =>
      workers.map((worker) => [`${name}, ${worker}`, LIMITS[worker]] as const),
    );
    const times = await compare(contestants, {
      rounds: ROUNDS,
      isKept: (figures) =>
        limited.every(([what, limit]) => (figures[what] ?? NaN) <= limit),
    });
    const toRow = (what: string, from: string, theirs: number): Omit<Row, 'bound'> => ({
      what: `${what} worker`,
      ours: times[from] ?? NaN,
      theirs,
      unit: 'ms',
    });
    const name = 'From click to dialog';
    yield {
      name,
      ours: 'tollkeeper',
      theirs: 'limit',
      rows: limited.map(([what, limit]) => ({
        ...toRow(what, what, limit),
        bound: { atMost: 1 },
      })),
    };
    yield {
      name,
      ours: 'described',
      theirs: 'not described',
      rows: DESCRIBED_METHODS.flatMap((method) =>
        workers.map((worker) => {
          const theirs = times[`${method}, not described, ${worker}`] ?? NaN;
          const from = `${method}, described, ${worker}`;
          return { ...toRow(`${method}, ${worker}`, from, theirs), bound: DESCRIBED };
        }),
      ),
    };
  } finally {
    await world.stop();
    await mainnet.stop();
  }
}

// A dapp that is connected, and how long its requests take until their dialog is open.
async function openDapp(
  world: World,
  mainnet: string,
): Promise<Record<'dialogs' | 'described', Record<string, Wait>>> {
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
      personal_sign: until('personal_sign', [TEXT, address]),
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
