// Screens of real transactions and documents: "before" is only decoded, and "after" has a
// description and a simulation.
import { readFile } from 'node:fs/promises';

import { parseTransaction } from 'viem';

import type { NodeClient } from '../../../packages/client/src';
import { CallsConfirmation } from '../../../src/calls/view';
import type { Transaction } from '../../../src/core/payload';
import type { TypedData } from '../../../src/core/typed-data';
import { encodeIntents, readCallData } from '../../../src/eth/account-calls';
import { toCaip2 } from '../../../src/eth/chain';
import { ZERO_ADDRESS, type Hex } from '../../../src/eth/hex';
import { UserOperationConfirmation } from '../../../src/operation/view';
import { decodeOperation } from '../../../src/operation/warnings';
import { createDescriber, type Describer } from '../../../src/review/describe/describe';
import { findWarnings } from '../../../src/review/findings';
import { warnOfOutcome } from '../../../src/review/outcome';
import { readCall } from '../../../src/review/read';
import { TypedDataConfirmation } from '../../../src/review/screen/document';
import type { BalanceChanges } from '../../../src/review/simulate';
import { TransactionConfirmation } from '../../../src/transaction/view';
import type { PagedView } from '../../../src/ui/confirmation';
import type { Translate } from '../../../src/ui/i18n';
import { bindSources, FOLDER, packFiles } from '../../clear-signing/build';
import { readPackage } from '../../clear-signing/sources';
import { callAll, callToken } from '../../clear-signing/tokens';
import { documentOf, permitSingleOf } from '../../demo/documents';
import { FIRST_FRAME, type Screen } from '../screen';
import { typed } from './messages';
import { NOW, OWN, ROUTER, SITE, SMART, TOKEN } from './people';
import { changing, operation, PAYMENT, price, toBatch } from './transactions';

type Real = Partial<Pick<BalanceChanges, 'changes' | 'approvals' | 'others'>> & {
  from?: Hex;
  raw?: Hex | Hex[];
  isOperation?: boolean;
  document?: TypedData;
};

const WETH: Hex = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const MBG: Hex = '0x45e02bc2875a2914c4f585bbf92a6f28bc07cb70';
const WBTC: Hex = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599';
const STETH: Hex = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84';
const LBTC: Hex = '0x8236a87084f8b84306f72007f36f2618a5634494';
const OUSG: Hex = '0x1b19c19393e2d034d8ff31ff34c81252fcbbee92';
const USDT: Hex = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const STRK: Hex = '0xca14007eff0db1f8135f4c25b34de49ab0d42766';
const UNSTETH: Hex = '0x889edc2edab5f40e902b864ad4d7ade8e412f9b1';

const units: BalanceChanges['units'] = new Map([
  [MBG, { symbol: '$MBG', decimals: 18 }],
  [WBTC, { symbol: 'WBTC', decimals: 8 }],
  [STETH, { symbol: 'stETH', decimals: 18 }],
  [LBTC, { symbol: 'LBTC', decimals: 8 }],
  [STRK, { symbol: 'STRK', decimals: 18 }],
  [OUSG, { symbol: 'OUSG', decimals: 18 }],
]);

const coin = (amount: bigint) => ({ token: ZERO_ADDRESS, amount });
const token = (address: Hex, amount: bigint) => ({ token: address, amount });

const SWAP: Hex =
  '0x02f9010c010d83989680843b9aca008304e2009468b3465833fb72a70ecdf485e0e4c7bd8665fc4580b8e404e45aaf000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2000000000000000000000000dac17f958d2ee523a2206206994597c13d831ec70000000000000000000000000000000000000000000000000000000000000bb8000000000000000000000000eced4025456b6c2987fac2e4c829889e681986a70000000000000000000000000000000000000000000000000016fdae8fefba690000000000000000000000000000000000000000000000000000000000d41da00000000000000000000000000000000000000000000000000000000000000000c0';
const STAKE: Hex =
  '0x02f853011f830f42408405b16fd683016b4794ae7ab96520de3a18e5e111b5eaab095312d7fe84880ef7fca59c4bb813a4a1903eab0000000000000000000000006dc9657c2d90d57cadffb64239242d06e6103e43c0';
const APPROVAL: Hex =
  '0x02f86b010c83989680843b9aca0082b3b094c02aaa39b223fe8d0a0e5c4f27ead9083c756cc280b844095ea7b300000000000000000000000068b3465833fb72a70ecdf485e0e4c7bd8665fc450000000000000000000000000000000000000000000000000016fdae8fefba69c0';

const real: Record<string, Real> = {
  'swap on 1inch': {
    from: '0x4e5b17cf6393ecb5c0295f80ef9a79d6233fedb8',
    raw: '0x02f8cf0182011684bcbdbb6d84c2bf4cf683027dfc94111111125421ca6dc452d289314280a0f8842a6580b8a4e2c95c820000000000000000000000004e5b17cf6393ecb5c0295f80ef9a79d6233fedb800000000000000000000000045e02bc2875a2914c4f585bbf92a6f28bc07cb700000000000000000000000000000000000000000000000e9441ef5ba99e00000000000000000000000000000000000000000000000000000000000007d78729128800000000000000000000053ead11073fc0651dce70572666f0ed0752abfeac0',
    changes: [token(MBG, -4303000000000000262144n), token(TOKEN, 2_115_623_767n)],
  },
  'bridge to Starknet': {
    raw: '0x02f8940181fd847735940084817274488302e5a994ce5485cfb26914c5dce00b9baf0580364dafc7a4861424e1145dc5b8640efe6a8b000000000000000000000000ca14007eff0db1f8135f4c25b34de49ab0d4276600000000000000000000000000000000000000000000cf85e80d39783c80000005c8d9a7d34afb96d69422539f8dbf1aa85a5ac7276b9e46f6897bf0f210dd01c0',
    changes: [coin(-22148627586501n), token(STRK, -980000000000000000000000n)],
  },
  'subscription to a fund': {
    raw: '0x02f88d0158846259008084f536a8808309a4e79493358db73b6cd4b98d89c8f5f230e81a95c2643a80b86422d4a175000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48000000000000000000000000000000000000000000000000000000104c6a051100000000000000000000000000000000000000000000001fa1f307d1cfa762c0c0',
    changes: [token(TOKEN, -70_001_493_265n), token(OUSG, 586450000000000000000n)],
  },
  'loan from Aave': {
    from: '0x81ec2081dfb42c5291c55e6123d527eb744a5ffb',
    raw: '0x02f8cf01821750841dcd650084486b6dc08306f1139487870bca3f3fd6335c3f4ce8392d69350b4fa4e280b8a4a415bcad0000000000000000000000002260fac5e5542a773aa44fbcfedf7c193bc2c5990000000000000000000000000000000000000000000000000000000001d63b320000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000000000000000000000000000081ec2081dfb42c5291c55e6123d527eb744a5ffbc0',
    changes: [token(WBTC, 30_817_074n)],
  },
  'stake with Lido': {
    raw: STAKE,
    changes: [coin(-1078608424000534547n), token(STETH, 1078608424000534546n)],
  },
  'transaction of a Safe': {
    raw: '0x02f9026d011c83069b44842953effa8307a120943e5c63644e683549055b9be8653de26e0b4cd36e80b902446a761202000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007a120000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001c00000000000000000000000000000000000000000000000000000000000000044a9059cbb00000000000000000000000014c30d9139cbbca09e8232938fe265fbf120eaaa00000000000000000000000000000000000000000000000000000006fc23ac00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000041000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000c0',
    others: [
      {
        account: '0x3e5c63644e683549055b9be8653de26e0b4cd36e',
        losses: [token(TOKEN, -30_000_000_000n)],
        arrivals: [],
      },
    ],
  },
  'unlimited approval': {
    raw: '0x02f86d01819e8405f5e1008408890f0082cb22948236a87084f8b84306f72007f36f2618a563449480b844095ea7b30000000000000000000000006a000f20005980200259b80c5102003040001068ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0',
    approvals: [
      {
        token: LBTC,
        spender: '0x6a000f20005980200259b80c5102003040001068',
        amount: 2n ** 256n - 1n,
      },
    ],
  },
  'NFT that is sent': {
    from: '0x914403e8bfaaa4a7a47501d25cd1b4c1b2ae2772',
    raw: '0x02f88c0111839896808403f21d578302475394889edc2edab5f40e902b864ad4d7ade8e412f9b180b86423b872dd000000000000000000000000914403e8bfaaa4a7a47501d25cd1b4c1b2ae2772000000000000000000000000783402877691894c739b58e087107489ad6a5f25000000000000000000000000000000000000000000000000000000000001cd5ec0',
    changes: [{ token: UNSTETH, id: 118_110n, amount: -1n }],
  },
  'approval of a collection': {
    raw: '0x02f869010901843b9aca008307a12094a4215daaf3745e14e96e169e0e7706c479ce04f280b844a22cb465000000000000000000000000d8da6bf26964af9d7eed9e03e53415d37aa960450000000000000000000000000000000000000000000000000000000000000001c0',
    approvals: [
      {
        token: '0xa4215daaf3745e14e96e169e0e7706c479ce04f2',
        spender: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
      },
    ],
  },
  'batch of approval and swap': {
    from: '0xeced4025456b6c2987fac2e4c829889e681986a7',
    raw: [APPROVAL, SWAP],
    changes: [token(WETH, -6471375668623977n), token(USDT, 13_971_072n)],
  },
  'stake by a user operation': {
    isOperation: true,
    raw: STAKE,
    changes: [coin(-1078608424000534547n), token(STETH, 1078608424000534546n)],
  },
  'permit of Permit2': {
    document: permitSingleOf(
      {
        token: TOKEN,
        amount: String(2n ** 160n - 1n),
        expiration: '1782864000',
        nonce: '7',
      },
      { spender: ROUTER, sigDeadline: '1774915200' },
    ),
  },
  order: {
    document: documentOf(
      {
        name: '1inch Aggregation Router',
        version: '6',
        chainId: 1,
        verifyingContract: '0x111111125421ca6dc452d289314280a0f8842a65',
      },
      {
        Order:
          'uint256 salt, address maker, address receiver, address makerAsset, address takerAsset, uint256 makingAmount, uint256 takingAmount, uint256 makerTraits',
      },
      {
        salt: '1777600000123',
        maker: OWN,
        receiver: ROUTER,
        makerAsset: TOKEN,
        takerAsset: WETH,
        makingAmount: '2500000000',
        takingAmount: '1000000000000000000',
        makerTraits: '562949953421312',
      },
    ),
  },
};

export const describedScreens: Screen[] = Object.entries(real).flatMap(([name, each]) =>
  (['before', 'after'] as const).map((when) => ({
    view: 'described',
    state: `${name} ${when}`,
    draw: async (translate) => {
      const describer = when === 'after' ? describerIn(translate) : undefined;
      const { document } = each;
      if (!document) {
        const view = await viewCalls(each, translate, describer);
        return view.draw(FIRST_FRAME);
      }
      const description = await describer?.document(document, OWN);
      const view = { ...typed(document), description, translate };
      return TypedDataConfirmation(view).draw(FIRST_FRAME);
    },
  })),
);

async function viewCalls(
  { from = OWN, raw = [], isOperation = false, ...found }: Real,
  translate: Translate,
  describer: Describer | undefined,
): Promise<PagedView> {
  const sender = isOperation ? SMART : from;
  const transactions = [raw].flat().map((each) => toTransaction(each, sender));
  const callData = encodeIntents(
    '0.7',
    transactions.map(({ to, value, data }) => ({ to: to as Hex, value, data })),
  );
  const shown = { ...operation, callData };
  const decoded = isOperation
    ? (decodeOperation(shown, (data) => readCallData('0.7', data)).calls ?? [])
    : transactions.map(readCall);
  const { chainId } = transactions[0] ?? PAYMENT;
  const calls = (await describer?.calls(decoded, chainId)) ?? decoded;
  const { changes = [], approvals, others: losing = [] } = found;
  const chain = toCaip2(chainId);
  const simulation = describer && {
    ...changing(changes, approvals),
    others: losing,
    units,
  };
  const view = {
    translate,
    origin: SITE,
    chain,
    warnings: [...findWarnings(calls), ...warnOfOutcome(simulation, calls, chain)],
    ...(describer && chainId === 1n && { price }),
    simulation,
  };
  if (isOperation) {
    const shape = { entryPoint: '0.7' } as const;
    return UserOperationConfirmation({ ...view, ...shape, operation: shown, calls });
  }
  const [transaction, ...others] = transactions;
  const [call] = calls;
  if (!transaction || !call) throw new Error('There is no transaction.');
  if (others.length === 0) {
    const shape = { isNonceOpen: true };
    return TransactionConfirmation({ ...view, ...shape, transaction, call });
  }
  const signed = transactions.map((each) => ({ transaction: each, isEstimated: true }));
  return CallsConfirmation({ ...toBatch(signed), ...view, account: from, calls });
}

function toTransaction(raw: Hex, from: Hex): Transaction {
  const { to = null, value = 0n, data = '0x', ...rest } = parseTransaction(raw);
  return {
    from,
    to: to && (to.toLowerCase() as Hex),
    value,
    data,
    chainId: BigInt(rest.chainId ?? 1),
    nonce: BigInt(rest.nonce ?? 0),
    gasLimit: rest.gas ?? 0n,
    type: '0x2',
    maxFeePerGas: rest.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: rest.maxPriorityFeePerGas ?? 0n,
    accessList: [],
  };
}

let files: Map<string, string> | undefined;

function describerIn(translate: Translate): Describer {
  return createDescriber({
    readFile: async (path) => {
      if (!path.startsWith(FOLDER)) return readFile(path, 'utf8');
      files ??= packFiles(bindSources(readPackage()).bound);
      return files.get(path.slice(FOLDER.length + 1)) ?? null;
    },
    now: () => NOW,
    loadTranslate: () => Promise.resolve(translate),
    log: () => undefined,
    connect: () => Promise.resolve({ node: node as unknown as NodeClient }),
  });
}

const node = {
  request: async (_method: string, [{ data }]: [{ data: Hex }]): Promise<Hex> =>
    Promise.resolve(
      callAll(data, (target, call) => {
        const token = target.toLowerCase() as Hex;
        return callToken(call, units.get(token) ?? {});
      }),
    ),
};
