// The computed address of an account, checked with its factory.
import { encodeFunctionData, pad, parseAbi } from 'viem';

import { createChains } from '../../../src/chains/chain';
import { checkAccountAddress } from '../../../src/chains/factory';
import { entryPoints } from '../../../src/eth/entry-point';
import { openPrivateStore } from '../../../src/state/private-state';
import { createChainBench } from '../../support/chain-bench';
import type { ChainBench } from '../../support/chain-bench';
import { pass, useFakeClock } from '../../support/fake-clock';
import { createFakeNode, refuses } from '../../support/fake-node';
import type { FakeNode } from '../../support/fake-node';
import { createFakeLive } from '../../support/fake-socket';
import { createGate } from '../../support/gate';
import type { Gate } from '../../support/gate';
import { createMemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';
import { stateOf } from '../../support/stored-accounts';

const { factory } = entryPoints['0.7'];
const owner = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const address = '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const lowerCase = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const other = '0x00000000000000000000000000000000005a57a1';
const account = { entryPoint: '0.7', factory, owner, salt: 9n, address } as const;

type Silence = {
  /** The signals of what was fetched. */
  sent: (AbortSignal | null | undefined)[];
  /** What the wallet was asked. */
  asked: string[];
  wallet: Gate;
  /** Begin to check; how it stands can be asked. */
  check: (chainId: bigint) => () => string | undefined;
};

type Bench = ChainBench & { node: FakeNode; check: () => Promise<void> };

async function setup(answer: FakeNode['answers'][string]): Promise<Bench> {
  const node = createFakeNode({ eth_call: answer });
  const bench = await createChainBench({ 1: node });
  const check = (): Promise<void> => checkAccountAddress(bench.chains, account, 1n);
  return { ...bench, node, check };
}

describe('a computed address', () => {
  it('passes where the factory answers it, in whatever case', async () => {
    const { node, check } = await setup(pad(lowerCase));
    await check();
    const data = encodeFunctionData({
      abi: parseAbi(['function getAddress(address,uint256) view returns (address)']),
      args: [owner, 9n],
    });
    expect(node.calls).toMatchObject([
      { method: 'eth_call', params: [{ to: factory, data }, 'latest'] },
    ]);
    node.answers.eth_call = pad(address);
    expect(await check()).toBeUndefined();
  });

  it.each([
    ['another address', pad(other), other],
    ['the zero address', `0x${'00'.repeat(32)}`, 'no address'],
    ['a bare address', lowerCase, 'no address'],
    ['two words', `${pad(lowerCase)}${'00'.repeat(32)}`, 'no address'],
  ])('is refused where the factory answers %s', async (_what, answer, shown) => {
    const { check } = await setup(answer);
    expect(await refusalOf(check())).toStrictEqual({
      code: -32002,
      message:
        "The node of eip155:1 and the computation disagree on the account's address: " +
        `the factory ${factory} answers ${shown}, computed was ${address}. ` +
        'Nothing was created. Check that it is the right node.',
    });
  });

  it.each([
    ['has no factory', '0x'],
    ['refuses the call', refuses({ code: 3, message: 'execution reverted' })],
    ['answers with no bytes', 7],
  ])('stands where the node %s', async (_what, answer) => {
    const { check, node } = await setup(answer);
    expect(await check()).toBeUndefined();
    expect(node.calls).toHaveLength(1);
  });

  it('stands where no node is configured, or none can be reached', async () => {
    const { chains } = await createChainBench({ 1: undefined });
    expect(await checkAccountAddress(chains, account, 1n)).toBeUndefined();
    expect(await checkAccountAddress(chains, account, 2n)).toBeUndefined();
  });
});

describe('a check that takes too long', () => {
  useFakeClock();

  /** A node of chain 1 and a wallet that are silent; the wallet until its gate is opened. */
  function setupSilence(): Silence {
    const wallet = createGate();
    const sent: (AbortSignal | null | undefined)[] = [];
    const asked: string[] = [];
    const chains = createChains({
      isDevelopment: true,
      store: openPrivateStore(
        createMemoryBackend({
          ...stateOf({}),
          chains: { 'eip155:1': { rpcUrl: 'https://node.example' } },
        }),
      ),
      http: {
        fetch: (_url, { signal } = {}) => {
          sent.push(signal);
          return new Promise(() => undefined);
        },
      },
      live: createFakeLive(),
      requestWallet: async ({ method }) => {
        asked.push(method);
        await wallet.opened;
        return '0x2';
      },
    });
    const check: Silence['check'] = (chainId) => {
      const states = ['waits'];
      void checkAccountAddress(chains, account, chainId).then(
        () => states.unshift('passed'),
        () => states.unshift('failed'),
      );
      return () => states[0];
    };
    return { sent, asked, wallet, check };
  }

  it('is given up after 5 s, and the request with it', async () => {
    const { sent, check } = setupSilence();
    const state = check(1n);
    await pass(4_999);
    expect([state(), sent.map((signal) => signal?.aborted)]).toStrictEqual([
      'waits',
      [false],
    ]);
    await pass(1);
    expect([state(), sent.map((signal) => signal?.aborted)]).toStrictEqual([
      'passed',
      [true],
    ]);
  });

  it('is given up while the wallet does not tell its network, for good', async () => {
    const { asked, wallet, check } = setupSilence();
    const state = check(2n);
    await pass(4_999);
    expect(state()).toBe('waits');
    await pass(1);
    expect(state()).toBe('passed');
    wallet.open();
    await pass(1);
    expect(asked).toStrictEqual(['eth_chainId']);
  });
});
