// Benchmarks built snaps in Chromium, in MetaMask's environment: an iframe, under SES. Compares our
// snap with an empty snap and with MetaMask's simple keyring.
import { withStopped } from '../stack/server';
import {
  createDappCall,
  createRequests,
  EMPTY_SNAP,
  LIST,
  openSide,
  readSnap,
  simpleKeyring,
  startChromium,
  tollkeeper,
  type CallPage,
  type Side,
} from './chromium';
import {
  compareSides,
  mapValues,
  takeTurns,
  undisturbed,
  type Bench,
  type Row,
  type Table,
} from './measure';
import type { Call } from './page';

export type BrowserOptions = {
  /** A bundle to measure instead of the built one. */
  bundle?: string | undefined;
  /** Folder with a build of the simple keyring. */
  peer?: string | undefined;
};

/** Maximum ratios of our times to those of the simple keyring. */
const limits: Record<string, number> = {
  'start to first answer': 1.1,
  'first personal_sign': 1,
  personal_sign: 0.8,
  'eth_signTypedData_v4: mail': 1,
  'eth_signTypedData_v4: Permit2': 1,
  'eth_signTypedData_v4: Seaport order': 1,
  'eth_signTransaction of type 0x2': 1,
  keyring_listAccounts: 1,
  'keyring_listAccounts, 1,000 accounts': 1.1,
};

/** Maximum time from a dapp's call to its dialog, in ms. For a stopped snap, the time until an
 * empty snap's first answer is subtracted. */
const dialogLimits = {
  personal_sign: { stopped: 60, running: 4 },
  eth_sendTransaction: { stopped: 90, running: 11 },
};

const methods = Object.keys(dialogLimits) as (keyof typeof dialogLimits)[];

const STARTS = 21;
const ROUNDS = 15;
const REPEATS = 5;

export async function* benchBrowser({ bundle, peer }: BrowserOptions): Bench {
  yield* await withStopped(startChromium(), async ({ version, page }) => {
    await page('open', EMPTY, EMPTY_SNAP);
    const ours = await openSide(page, tollkeeper, await readSnap('.', bundle));
    const theirs =
      peer === undefined
        ? undefined
        : await openSide(page, simpleKeyring, await readSnap(peer));
    const starts = await measureStarts(page, ours, theirs);
    const dialogs = await measureDialogs(page, ours);
    const own = { name: `Chromium ${version}`, ours: 'tollkeeper' };
    const tables: Table[] = [
      { ...own, theirs: 'empty snap', rows: starts.empty },
      {
        ...own,
        theirs: 'limit',
        rows: [...starts.dialogs, ...dialogs],
      },
    ];
    if (!theirs) return tables;
    const rows = [...starts.peer, ...(await measureRequests(page, { ours, theirs }))];
    return [...tables, { ...own, theirs: 'simple keyring', rows }];
  });
}

const EMPTY = 'empty';

type Start = { answered: number; executing?: number; answering?: number };

async function measureStarts(
  page: CallPage,
  ours: Side,
  theirs: Side | undefined,
): Promise<Record<'empty' | 'dialogs' | 'peer', Row[]>> {
  const contestants: Record<string, () => Promise<Start>> = {
    [EMPTY]: async () => page('measureStart', EMPTY, LIST),
  };
  for (const { id, account } of theirs ? [ours, theirs] : [ours]) {
    const { personal_sign: sign } = createRequests(account);
    contestants[id] = async () => page('measureStart', id, LIST);
    contestants[`${id}, signing`] = async () => page('measureStart', id, sign);
  }
  for (const method of methods) {
    const asked = createDappCall(method, ours.account);
    contestants[method] = async () => {
      await page('setState', ours.id, ours.states.one);
      return { answered: await page('measureDialog', ours.id, asked, true) };
    };
  }
  const all = await takeTurns(contestants, STARTS);
  const find = (name: string, figure: keyof Start = 'answered'): number =>
    undisturbed((all[name] ?? []).map((start) => start[figure] ?? NaN));
  const compareStarts = (own: string, other: string, named: typeof figures): Row[] =>
    named.map(([what, figure]) => ({
      ...toRow(what),
      ours: find(own, figure),
      theirs: find(other, figure),
    }));
  const other = theirs?.id ?? '';
  return {
    empty: compareStarts(ours.id, EMPTY, figures).map((row) => ({
      ...row,
      bound: undefined,
    })),
    dialogs: methods.map((method) => ({
      what: `${method}, stopped snap: more than an empty one's answer`,
      ours: find(method) - find(EMPTY),
      theirs: dialogLimits[method].stopped,
      unit: 'ms',
      bound: { atMost: 1 },
    })),
    peer: [
      ...compareStarts(ours.id, other, figures),
      ...compareStarts(`${ours.id}, signing`, `${other}, signing`, firsts),
    ],
  };
}

const figures: readonly [what: string, figure: keyof Start][] = [
  ['start to first answer', 'answered'],
  ['executing the bundle', 'executing'],
];

const firsts: typeof figures = [
  ['start to first personal_sign', 'answered'],
  ['first personal_sign', 'answering'],
];

function toRow(what: string): Pick<Row, 'what' | 'unit' | 'bound'> {
  const atMost = limits[what];
  return { what, unit: 'ms', bound: atMost === undefined ? undefined : { atMost } };
}

async function measureDialogs(page: CallPage, { id, account }: Side): Promise<Row[]> {
  await page('start', id);
  let site = 0;
  const whats = Object.fromEntries(
    methods.map((method) => [`${method}, running snap`, method]),
  );
  const contestants = mapValues(whats, (method) => async () => {
    const asked = createDappCall(method, account, (site += 1));
    return page('measureDialog', id, asked, false);
  });
  const times = await takeTurns(contestants, ROUNDS);
  return Object.entries(whats).map(([what, method]) => ({
    what,
    ours: undisturbed(times[what] ?? []),
    theirs: dialogLimits[method].running,
    unit: 'ms',
    bound: { atMost: 1 },
  }));
}

async function measureRequests(
  page: CallPage,
  sides: Record<'ours' | 'theirs', Side>,
): Promise<Row[]> {
  const rows: Row[] = [];
  const compareRequests = async (
    what: string,
    find: (side: Side) => Call,
  ): Promise<void> => {
    const contestants = mapValues(sides, (side) => {
      const asked = find(side);
      return async () => page('measure', side.id, asked, REPEATS);
    });
    rows.push(
      await compareSides(toRow(what), contestants, {
        rounds: ROUNDS,
        summarize: undisturbed,
      }),
    );
  };
  const startWith = async (count: keyof Side['states']): Promise<void> => {
    for (const { id, states } of Object.values(sides)) {
      await page('setState', id, states[count]);
      await page('start', id);
    }
  };
  await startWith('one');
  const signed = Object.keys(createRequests(sides.ours.account));
  for (const what of signed as (keyof ReturnType<typeof createRequests>)[]) {
    await compareRequests(what, ({ account }) => createRequests(account)[what]);
  }
  await compareRequests('keyring_listAccounts', () => LIST);
  await compareRequests('keyring_createAccount', ({ createAccount }) => createAccount);
  await startWith('many');
  await compareRequests('keyring_listAccounts, 1,000 accounts', () => LIST);
  await compareRequests(
    'personal_sign, 1,000 accounts',
    ({ account }) => createRequests(account).personal_sign,
  );
  return rows;
}
