import type { Json } from '@metamask/utils';
import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import type { Hex, TransactionSerializedEIP1559 } from 'viem';

import { askedOf } from '../../support/fake-node';
import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { subsetsOf, TO, transactions, withoutFields } from '../../support/transactions';
import { toViem } from '../../support/viem-transaction';
import { writeView } from '../../support/view';

type Fields = Record<string, Json>;

type Filled = { v: Hex; r: Hex; s: Hex; tx: Fields; raw: TransactionSerializedEIP1559 };

type Bench = SignBench & {
  address: string;
  signTransaction: (fields: Fields, scope?: bigint) => Promise<Filled>;
  /** As MetaMask has it signed, which warns of costs itself. */
  signForMetaMask: (fields: Fields) => Promise<Filled>;
};

async function setup(): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create();
  const signTransaction = async (fields: Fields, scope?: bigint): Promise<Filled> => {
    const params = [{ from: address, ...fields }];
    const asked = { account: id, method: 'eth_signTransaction', params };
    const all = scope === undefined ? asked : { ...asked, scope };
    const answer: unknown = await bench.sign(all);
    return answer as Filled;
  };
  const signForMetaMask = async (fields: Fields): Promise<Filled> => {
    const params = [{ from: address, ...fields }];
    const asked = { account: id, method: 'eth_signTransaction', params };
    const answer: unknown = await bench.sign({ ...asked, mayHoldSecrets: true });
    return answer as Filled;
  };
  return { ...bench, address, signTransaction, signForMetaMask };
}

const dynamic = [
  'type',
  'chainId',
  'nonce',
  'gasLimit',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
];
const priced = ['type', 'chainId', 'nonce', 'gasLimit', 'gasPrice'];

/** What is asked for fees: past blocks, and how long the chain takes for one. */
const FEES = ['eth_feeHistory', 'eth_getBlockByNumber', 'eth_getBlockByNumber'];

const cases: [string, Fields, string[]][] = [
  ...subsetsOf(dynamic).map((names) => ['EIP-1559', transactions['EIP-1559'], names]),
  ...subsetsOf(priced).map((names) => ['EIP-2930', transactions['EIP-2930'], names]),
  ...subsetsOf(priced).map((names) => ['legacy', transactions.legacy, names]),
] as [string, Fields, string[]][];

describe('eth_signTransaction fills exactly what is absent', () => {
  it.each(cases)('of %s (case %#)', async (_type, whole, absent) => {
    const { signForMetaMask, owner, edges, address } = await setup();
    const given = withoutFields(whole, absent);
    const answer = await signForMetaMask(given);
    if (absent.length === 0) {
      expect(Object.keys(answer).sort()).toStrictEqual(['r', 's', 'v']);
      expect(edges.wallet.calls).toStrictEqual([]);
      return;
    }
    const { tx, raw, ...signature } = answer;
    expect(Object.keys(signature).sort()).toStrictEqual(['r', 's', 'v']);
    expect(tx).toMatchObject({ from: address, ...given });
    for (const name of absent) {
      if (name in tx) expect(tx[name]).toMatch(/^0x(?:0|[1-9a-f][0-9a-f]*)$/u);
    }
    expect(raw).toBe(await owner.signTransaction(toViem(tx)));
    const sender = await recoverTransactionAddress({ serializedTransaction: raw });
    expect(sender).toBe(owner.address);
    expect(parseTransaction(raw)).toMatchObject({ r: signature.r, s: signature.s });
  });

  it.each([
    ['nonce', ['eth_getTransactionCount']],
    ['gasLimit', ['eth_estimateGas']],
    ['type', []],
    ['chainId', []],
    ['maxFeePerGas', FEES],
    ['maxPriorityFeePerGas', FEES],
  ])('and asks for %s no more than it needs', async (name, asked) => {
    const { signForMetaMask, edges } = await setup();
    await signForMetaMask(withoutFields(transactions['EIP-1559'], [name]));
    const methods = askedOf(edges.wallet).filter((method) => method !== 'eth_chainId');
    expect(methods.sort()).toStrictEqual(asked);
  });

  it('and tells the whole transaction of the least that can be given', async () => {
    const { signTransaction, address } = await setup();
    const { tx, raw } = await signTransaction({ to: TO, value: '0x1' });
    expect(tx).toStrictEqual({
      type: '0x2',
      chainId: '0x1',
      nonce: '0x5',
      from: address,
      to: TO,
      value: '0x1',
      data: '0x',
      gasLimit: '0x5208',
      maxFeePerGas: '0x50775d82',
      maxPriorityFeePerGas: '0x2',
      accessList: [],
    });
    expect(keccak256(raw)).toMatch(/^0x/u);
  });

  it('and shows the user what was filled', async () => {
    const { signTransaction, consents } = await setup();
    await signTransaction({ to: TO, value: '0x0' });
    const view = writeView(consents.asked);
    expect(view).toContain('21,000');
    expect(view).toContain('1.350000002 gwei');
  });
});

describe('the chain of a transaction without chainId', () => {
  const open = withoutFields(transactions['EIP-1559'], ['chainId']);

  it('is the scope', async () => {
    const { signTransaction, app } = await setup();
    await app.services.store.update((state) => ({
      ...state,
      chains: { 'eip155:5': { rpcUrl: 'https://node.example' } },
    }));
    expect((await signTransaction(open, 5n)).tx).toHaveProperty('chainId', '0x5');
  });

  it("is the snap's own network where there is no scope", async () => {
    const { signTransaction, edges } = await setup();
    edges.wallet.answers.eth_chainId = '0x7';
    expect((await signTransaction(open)).tx).toHaveProperty('chainId', '0x7');
  });
});

describe('a transaction that cannot be filled', () => {
  it('is refused where the chain has no node, and nobody is asked', async () => {
    const { signTransaction, consents } = await setup();
    const open = withoutFields(transactions.legacy, ['nonce', 'chainId']);
    expect(await refusalOf(signTransaction(open, 137n))).toStrictEqual({
      code: -32002,
      message:
        "No node is configured for eip155:137, and it is not the snap's own network in " +
        'the wallet. Configure one with tollkeeper_setChain.',
    });
    expect(consents.asked).toHaveLength(0);
  });

  it('is refused as the node says, and nobody is asked', async () => {
    const { signTransaction, consents, edges } = await setup();
    delete edges.wallet.answers.eth_estimateGas;
    expect(await refusalOf(signTransaction({ to: TO, value: '0x1' }))).toStrictEqual({
      code: -32601,
      message:
        "eth_estimateGas at the wallet's node failed: the method eth_estimateGas does not exist.",
    });
    expect(consents.asked).toHaveLength(0);
  });
});
