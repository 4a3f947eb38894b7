// Runs the test cases of the ERC-7730 registry: a dapp sends each case to the built snap in a
// wallet whose node knows the tokens of the case.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Hex, numberToHex, parseTransaction } from 'viem';

import { connect, createSnapSite } from '../demo/world';
import type { DemoAccount, SnapSite } from '../demo/world';
import { RpcFailure, startJsonRpcServer, toUnknownMethod } from '../stack/server';
import { COMPANION_ORIGIN } from '../wallet/options';
import { listElements, toText } from '../wallet/screen';
import { leaveOpen, type Dialog } from '../wallet/user';
import { startWallet, type Wallet } from '../wallet/wallet';
import { judge, type Expected, type Missing } from './judge';
import { callAll, callToken } from './tokens';

type Token = { symbol: string; decimals: number; name: string };

type Asked = {
  rawTx?: Hex;
  data?: { domain: { chainId?: number | string } };
  from?: Hex;
  expected: Expected;
};

type CaseFile = {
  dataProvider?: Partial<
    Record<'addressNames' | 'nftCollectionNames', Record<string, string>>
  > & { tokens?: Record<string, Token> };
  tests: (Asked & { description: string })[];
};

/** A case, with tokens and contract names by lower-case address. */
export type Case = Asked & {
  name: string;
  tokens: Record<string, Token>;
  names: Record<string, string>;
};

export type CaseResult = {
  name: string;
  shown: string;
  missing: Missing[];
  dangers: string[];
};

/** Reads the test cases in a checkout of the registry. Throws if there are none. */
export async function readCases(registry: string): Promise<Case[]> {
  const folder = join(registry, 'registry');
  const paths = await readdir(folder, { recursive: true });
  const tests = paths.filter((path) => /[/\\]testsv2[/\\].*\.tests\.json$/u.test(path));
  if (tests.length === 0) throw new Error(`${folder} has no testsv2/*.tests.json.`);
  const cases: Case[] = [];
  for (const path of tests.sort()) {
    const text = await readFile(join(folder, path), 'utf8');
    const { dataProvider = {}, tests: all } = JSON.parse(text) as CaseFile;
    const { addressNames, nftCollectionNames } = dataProvider;
    const tokens = lowerKeys(dataProvider.tokens ?? {});
    const names = lowerKeys({ ...addressNames, ...nftCollectionNames });
    for (const { description, ...each } of all) {
      cases.push({ ...each, name: `${path} – ${description}`, tokens, names });
    }
  }
  return cases;
}

const lowerKeys = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key.toLowerCase(), value]),
  );

export async function* askCases(cases: readonly Case[]): AsyncGenerator<CaseResult> {
  let current: Case | undefined;
  const answered: Answered[] = [];
  const callContract = (to: Hex, data: Hex): Hex | undefined => {
    const address: Hex = `0x${to.slice(2).toLowerCase()}`;
    if (address === MULTICALL) return callAll(data, callContract);
    const result = callKnown(address, data, current);
    answered.push({ to: address, data, result });
    return result;
  };
  const answer = (method: string, params: unknown): unknown => {
    if (method in ANSWERS) return ANSWERS[method];
    if (method !== 'eth_call') throw toUnknownMethod(method);
    const [{ to, data }] = params as [{ to: Hex; data: Hex }];
    const result = callContract(to, data);
    if (result !== undefined) return result;
    throw new RpcFailure({ code: 3, message: 'execution reverted', data: '0x' });
  };
  const node = await startJsonRpcServer({
    name: 'node',
    path: '/',
    port: 0,
    open:
      ({ chain = '1' }) =>
      async (method, params) =>
        Promise.resolve(
          method === 'eth_chainId'
            ? numberToHex(Number(chain))
            : answer(method, params),
        ),
  });
  const chains = [...new Set(['1', ...cases.map(chainOf)])];
  const [chain = { url: '' }, ...otherChains] = chains.map((id) => ({
    url: `${node.url}?chain=${id}`,
  }));
  const wallet = await startWallet({ chain, otherChains });
  try {
    const companion = createSnapSite(wallet, COMPANION_ORIGIN);
    const account = (await companion.keyring('keyring_createAccount', {
      options: {},
    })) as DemoAccount;
    const dapp = createSnapSite(wallet, 'https://dapp.example');
    wallet.connect(dapp.origin);
    await connect({ wallet }, dapp, [account]);
    for (const [index, each] of cases.entries()) {
      current = each;
      // Stops the snap's worker, which caches token metadata and limits the number of requests.
      if (index % 25 === 0 || answered.some((known) => isOutdated(known, each))) {
        await wallet.stopSnap();
        answered.length = 0;
      }
      yield await askCase(each, { wallet, dapp, account });
    }
  } finally {
    await wallet.stop();
    await node.stop();
  }
}

type Answered = { to: Hex; data: Hex; result: Hex | undefined };

function isOutdated({ to, data, result }: Answered, each: Case): boolean {
  const isConcerned = JSON.stringify(each).toLowerCase().includes(to.slice(2));
  return isConcerned && callKnown(to, data, each) !== result;
}

/** Time without a change after which a dialog counts as complete, in ms. */
const SETTLED_MS = 700;

async function askCase(
  each: Case,
  { wallet, dapp, account }: { wallet: Wallet; dapp: SnapSite; account: DemoAccount },
): Promise<CaseResult> {
  const { name, expected } = each;
  wallet.user.onDialog = leaveOpen;
  const opened = wallet.user.nextDialog();
  const { method, params } = toRequest(each, account.address);
  const asked = dapp.snap(method, params).then(
    () => 'Signed without a dialog.',
    (error: Error) => error.message,
  );
  const dialog = await Promise.race([opened, asked]);
  if (typeof dialog === 'string') {
    return { name, shown: dialog, missing: judge(dialog, expected), dangers: [] };
  }
  const signer = { own: account.address, from: each.from };
  let shown = '';
  let missing: Missing[] = [];
  let dangers: string[] = [];
  for (let since = Date.now(); Date.now() - since < SETTLED_MS;) {
    const now = await readPages(dialog);
    if (now.text !== shown) since = Date.now();
    ({ text: shown, dangers } = now);
    missing = judge(shown, expected, signer);
    if (missing.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // A rejection would count against the site: the snap delays sites after several of them.
  await dialog.approve();
  await asked;
  return { name, shown, missing, dangers };
}

async function readPages(dialog: Dialog): Promise<{ text: string; dangers: string[] }> {
  while (await turn(dialog, 0));
  const pages: string[] = [];
  const dangers: string[] = [];
  do {
    pages.push(dialog.text);
    for (const { element } of listElements(dialog.content)) {
      if (element.type === 'Banner' && element.props.severity === 'danger') {
        dangers.push(toText(element));
      }
    }
  } while (await turn(dialog, -1));
  return { text: pages.join('\n'), dangers };
}

async function turn(dialog: Dialog, at: 0 | -1): Promise<boolean> {
  const button = listElements(dialog.content)
    .flatMap(({ element }) => (element.type === 'Button' ? [element.props] : []))
    .filter(({ name }) => name?.startsWith('page:'))
    .at(at);
  if (button?.name === undefined || button.disabled === true) return false;
  await dialog.click(button.name);
  return true;
}

function toRequest({ rawTx, data }: Asked, from: Hex) {
  if (rawTx === undefined) {
    return { method: 'eth_signTypedData_v4', params: [from, data] as never };
  }
  const sent = parseTransaction(rawTx);
  const transaction = {
    from,
    to: sent.to,
    value: numberToHex(sent.value ?? 0n),
    data: sent.data ?? '0x',
    chainId: numberToHex(sent.chainId ?? 1),
    nonce: '0x5',
    gas: '0xf4240',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
  };
  return { method: 'eth_signTransaction', params: [transaction] as never };
}

function chainOf({ rawTx, data }: Case): string {
  const id = rawTx ? parseTransaction(rawTx).chainId : data?.domain.chainId;
  return String(Number(id ?? 1));
}

const GWEI = '0x3b9aca00';

const BLOCK = {
  number: '0x1000000',
  timestamp: numberToHex(Math.floor(Date.now() / 1_000)),
  baseFeePerGas: GWEI,
};

const ANSWERS: Record<string, unknown> = {
  eth_blockNumber: BLOCK.number,
  eth_getBlockByNumber: BLOCK,
  eth_gasPrice: GWEI,
  eth_maxPriorityFeePerGas: GWEI,
  eth_feeHistory: {
    oldestBlock: BLOCK.number,
    baseFeePerGas: [GWEI, GWEI],
    gasUsedRatio: [0.5],
    reward: [[GWEI, GWEI, GWEI, GWEI, GWEI]],
  },
  eth_estimateGas: '0x30d40',
  eth_getBalance: numberToHex(10n ** 24n),
  eth_getCode: '0x6080',
  eth_getTransactionCount: '0x5',
};

const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11';

function callKnown(address: Hex, data: Hex, current?: Case): Hex | undefined {
  const token = current?.tokens[address];
  return callToken(data, {
    ...(token && { ...token, balanceOf: 10n ** 30n, allowance: 0n }),
    name: current?.names[address] ?? token?.name,
  });
}
