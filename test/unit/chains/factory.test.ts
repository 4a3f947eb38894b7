import { encodeFunctionData, pad, parseAbi } from 'viem';

import { createChains } from '../../../src/chains/chain';
import { fetchAccountAddress } from '../../../src/chains/factory';
import { openPrivateStore } from '../../../src/state/private-state';
import { createFakeNode } from '../../support/fake-node';
import type { FakeNode } from '../../support/fake-node';
import { createFakeLive } from '../../support/fake-socket';
import { createMemoryBackend } from '../../support/memory-backend';
import { refusalOf } from '../../support/refusal';

const FACTORY = '0x00000000000000000000000000000000000000ab';
const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const ACCOUNT = '0x00000000000000000000000000000000005a57a1';

function setup(answer: string): { node: FakeNode; ask: () => Promise<string> } {
  const node = createFakeNode({ eth_chainId: '0x1', eth_call: answer });
  const store = openPrivateStore(createMemoryBackend());
  const http = { fetch };
  const chains = createChains({
    isDevelopment: true,
    store,
    http,
    live: createFakeLive(),
    requestWallet: node.request,
  });
  const origin = {
    entryPoint: '0.6',
    factory: FACTORY,
    owner: OWNER,
    salt: 9n,
  } as const;
  return { node, ask: () => fetchAccountAddress(chains, origin, 1n) };
}

describe('fetchAccountAddress', () => {
  it('asks getAddress of the factory at the latest block', async () => {
    const { node, ask } = setup(pad(ACCOUNT));
    expect(await ask()).toBe(ACCOUNT);
    const data = encodeFunctionData({
      abi: parseAbi(['function getAddress(address,uint256) view returns (address)']),
      args: [OWNER, 9n],
    });
    expect(node.calls.at(-1)).toStrictEqual({
      method: 'eth_call',
      params: [{ to: FACTORY, data }, 'latest'],
    });
  });

  it.each([
    ['nothing, as where there is no contract', '0x'],
    ['a bare address', ACCOUNT],
    ['a word that is no address', `0x${'ff'.repeat(32)}`],
    ['two words', `${pad(ACCOUNT)}${'00'.repeat(32)}`],
    ['the zero address, which is nobody', `0x${'00'.repeat(32)}`],
  ])('refuses a factory that answers with %s', async (_what, answer) => {
    const { ask } = setup(answer);
    expect(await refusalOf(ask())).toStrictEqual({
      code: -32602,
      message: `options.factory: ${FACTORY} is not an account factory on eip155:1.`,
    });
  });
});
