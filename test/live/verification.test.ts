// Signatures of every kind of account, judged by what others use to verify them. The table of it
// is in docs/reference/clients.md.
import { createWalletClient } from 'viem';
import type { Hex } from 'viem';
import { foundry } from 'viem/chains';

import type { DemoAccount } from '../../dev/demo/world';
import { judges, kinds } from '../../dev/docs/verification';
import type { Judge, Kind } from '../../dev/docs/verification';
import { deployVerifiers } from '../../dev/stack/verifiers';
import { createJudges } from '../support/judges';
import type { Judgement, Signer } from '../support/judges';
import { createRecipient, setupSmartWorld } from '../support/smart-world';
import { createSnapTransport } from '../support/snap-transport';

const UNSUPPORTED = 4200;

const world = setupSmartWorld();

let judgements: Record<Judge, Judgement>;

const signers = new Map<string, Signer>();

// All at a time, since a smart account's transaction is answered once it is included.
beforeAll(async () => {
  judgements = createJudges(world.stack, await deployVerifiers(world.stack));
  await Promise.all(
    Object.keys(kinds).map(async (name) => signers.set(name, await open(name))),
  );
});

async function open(name: string): Promise<Signer> {
  const [type = '', version = '', state = ''] = name.split(' ');
  const account = await create(type, version);
  const site = await world.visit(account);
  const address = account.address;
  await world.stack.fund(address, '1');
  if (type === 'eoa' && version !== '') {
    const wanted = [{ account: address, chainId: '0x7a69', entryPoint: version }];
    const answer = await world.companion.snap('tollkeeper_delegate', wanted);
    await world.node.waitForTransactionReceipt(answer as { hash: Hex });
  } else if (type !== 'eoa' && version !== 'new' && state !== 'new') {
    const call = { from: address, to: createRecipient(), value: '0x1' };
    await site.snap('eth_sendTransaction', [call]);
  }
  const client = createWalletClient({
    account: address,
    chain: foundry,
    transport: createSnapTransport(site),
  });
  return {
    address,
    signMessage: async (message) => client.signMessage({ message }),
    signTypedData: async (document) => client.signTypedData(document),
  };
}

describe.each(Object.entries(kinds))('%s', (name, { refusals }: Kind) => {
  const [type = '', version = ''] = name.split(' ');
  const getSigner = (): Signer => signers.get(name) as Signer;

  it('has the code that it is to have', async () => {
    const code = await world.node.getCode(getSigner());
    const hasCode = type === 'eoa' ? version !== '' : !name.endsWith('new');
    expect(code !== undefined).toBe(hasCode);
  });

  // A payment deploys its payer: it comes last.
  it.each(Object.keys(judges) as Judge[])('%s', async (judge) => {
    const signer = getSigner();
    const judged = judgements[judge](signer);
    if (type === 'simple') {
      await expect(judged).rejects.toMatchObject({ code: UNSUPPORTED });
      return;
    }
    expect(await judged).toBe(refusals[judge] === undefined);
    const stranger = { ...signer, address: createRecipient() };
    await expect(judgements[judge](stranger).catch(() => false)).resolves.toBe(false);
  });
});

async function create(type: string, version: string): Promise<DemoAccount> {
  if (type === 'eoa') return world.createAccount({ type: 'eip155:eoa' });
  const contract =
    type === 'safe' ? { implementation: 'safe' } : { entryPoint: version };
  const scopes = ['eip155:31337'];
  return world.createAccount({ type: 'eip155:erc4337', scopes, ...contract });
}
