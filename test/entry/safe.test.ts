// Safe accounts: their creation, and message signatures, which their contracts verify.
import type { Json } from '@metamask/utils';
import { hashMessage, hashTypedData, pad, recoverTypedDataAddress } from 'viem';
import type { Address, Hex, TypedDataDefinition } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import { parseErc6492Signature } from 'viem/utils';

import { answerAsContract } from '../support/account-contract';
import { callersOf } from '../support/callers';
import { refuses } from '../support/fake-node';
import type { NodeAnswers } from '../support/fake-node';
import { expectRefusal } from '../support/refusal';
import { COMPANION, createAccount, createTestApp, DAPP } from '../support/test-app';
import { mailOf } from '../support/typed-data';
import { textOf, writeView } from '../support/view';

const FACTORY = '0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67';

/** ERC-1271's answer for a valid signature, as a word. */
const VALID = '0x1626ba7e'.padEnd(66, '0');

const REVERTED = { code: 3, message: 'execution reverted' };

/**
 * Sets up a Safe that the dapp may use. `contract` is what eth_call returns: the answer of the Safe
 * or, before its deployment, of the factory.
 */
async function setup(isDeployed: boolean, contract?: NodeAnswers[string]) {
  const app = createTestApp();
  const options = { type: 'eip155:erc4337', implementation: 'safe' };
  const account = await createAccount(app, options);
  const address = account.address as Address;
  const other = contract ?? (isDeployed ? VALID : pad(address));
  const eth_call = isDeployed ? answerAsContract(account, other) : other;
  const eth_getCode = isDeployed ? '0x6080' : '0x';
  Object.assign(app.edges.wallet.answers, { eth_call, eth_getCode });
  await app.services.grants.set(DAPP, [account.id]);
  return {
    app,
    account,
    address,
    call: async (method: string, params: Json) =>
      callersOf(app).rpc(DAPP, method, params),
    recover: async (message: Hex, signature: Hex) => {
      const signer = await recoverTypedDataAddress({
        domain: { chainId: 1, verifyingContract: address },
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage',
        message: { message },
        signature,
      });
      return signer.toLowerCase();
    },
  };
}

describe('a Safe', () => {
  it('is created with its own key, and supports signing messages', async () => {
    const { app, account } = await setup(false, '0x');
    expect(account.options).toMatchObject({
      implementation: 'safe',
      entryPoint: '0.7',
      factory: FACTORY,
      salt: '0x0',
    });
    expect(account.methods).toStrictEqual([
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_prepareUserOperation',
      'eth_patchUserOperation',
      'eth_signUserOperation',
    ]);
    const simple = await createAccount(app, {
      type: 'eip155:erc4337',
      entryPoint: '0.7',
      index: 0,
    });
    expect(simple.options.owner).not.toBe(account.options.owner);
    expect(simple.options).not.toHaveProperty('implementation');
  });

  it('is created without a dialog, like a SimpleAccount', async () => {
    const app = createTestApp();
    const { keyring } = callersOf(app);
    const options = { type: 'eip155:erc4337', implementation: 'safe' };
    await keyring(COMPANION, 'keyring_createAccount', { options });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
    expect(await app.services.repository.list()).toHaveLength(1);
  });

  it.each<[string, Record<string, Json>, RegExp]>([
    ['a factory', { factory: FACTORY }, /a Safe has its own factory/u],
    ['EntryPoint 0.8', { entryPoint: '0.8' }, /a Safe needs EntryPoint 0\.7/u],
    ['the type of an EOA', { type: 'eip155:eoa' }, /implementation is for accounts/u],
    ['another implementation', { implementation: 'kernel' }, /implementation must be/u],
  ])('is not created with %s', async (_what, options, message) => {
    const app = createTestApp();
    const all = { type: 'eip155:erc4337', implementation: 'safe', ...options };
    await expectRefusal(createAccount(app, all), -32602, message);
    expect(await app.services.repository.list()).toStrictEqual([]);
  });

  it('signs a message as its owner, and explains which contract verifies it', async () => {
    const { app, account, address, call, recover } = await setup(true);
    const signature = (await call('personal_sign', ['hello', address])) as Hex;
    expect(await recover(hashMessage('hello'), signature)).toBe(account.options.owner);
    const shown = writeView(app.edges.dialogs.shown.at(-1));
    expect(shown).toContain(textOf('verifier.meaning', { chain: 'Ethereum' }));
  });

  it('adds its deployment to signatures until it is deployed (ERC-6492)', async () => {
    const { account, address, call, recover } = await setup(false);
    const signature = (await call('personal_sign', ['hello', address])) as Hex;
    const parsed = parseErc6492Signature(signature);
    expect(parsed.address?.toLowerCase()).toBe(FACTORY);
    expect(await recover(hashMessage('hello'), parsed.signature)).toBe(
      account.options.owner,
    );
  });

  it('signs typed data', async () => {
    const { account, address, call, recover } = await setup(true);
    const mail = mailOf(1);
    const signature = (await call('eth_signTypedData_v4', [address, mail])) as Hex;
    const hash = hashTypedData(mail as unknown as TypedDataDefinition);
    expect(await recover(hash, signature)).toBe(account.options.owner);
  });

  it('signs in with wallet_connect', async () => {
    const { account, address, call, recover } = await setup(true);
    const answer = (await call('wallet_connect', [
      { capabilities: { signInWithEthereum: { nonce: '12345678', chainId: '0x1' } } },
    ])) as {
      accounts: [
        { capabilities: { signInWithEthereum: { message: string; signature: Hex } } },
      ];
    };
    const { message, signature } = answer.accounts[0].capabilities.signInWithEthereum;
    expect(message.toLowerCase()).toContain(address);
    expect(await recover(hashMessage(message), signature)).toBe(account.options.owner);
  });

  it.each<[string, boolean, NodeAnswers[string]]>([
    ['refuses the signature', true, '0xffffffff'.padEnd(66, '0')],
    ['returns nothing', true, '0x'],
    ['reverts', true, refuses(REVERTED)],
    ['and its factory are not deployed', false, '0x'],
    ['would be deployed elsewhere by its factory', false, pad(FACTORY)],
    ['cannot be deployed', false, refuses(REVERTED)],
  ])('returns no signature if its contract %s', async (_what, isDeployed, answer) => {
    const { app, address, call } = await setup(isDeployed, answer);
    await expectRefusal(
      call('personal_sign', ['hello', address]),
      -32002,
      isDeployed ? /does not accept the signature/u : /is not deployed there/u,
    );
    expect(app.edges.dialogs.shown).toHaveLength(isDeployed ? 1 : 0);
  });

  it.each([true, false])(
    "returns the node's error if the node cannot call the contract (deployed: %j)",
    async (isDeployed) => {
      const answer = refuses({ code: -32000, message: 'missing trie node' });
      const { address, call } = await setup(isDeployed, answer);
      const signing = call('personal_sign', ['hello', address]);
      await expectRefusal(signing, -32000, /missing trie node/u);
    },
  );

  it('does not sign for chains that it does not serve', async () => {
    const { app, address, call } = await setup(true);
    const siwe = createSiweMessage({
      domain: 'dapp.example',
      uri: DAPP,
      address,
      version: '1',
      chainId: 5,
      nonce: '12345678',
    });
    for (const [method, params] of [
      ['personal_sign', [siwe, address]],
      ['eth_signTypedData_v4', [address, mailOf(5)]],
    ] as const) {
      const signing = call(method, [...params]);
      await expectRefusal(signing, -32602, 'serves eip155:1, not eip155:5');
    }
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it.each(['eth_signTypedData_v3', 'eth_signTypedData_v1', 'eth_signTypedData'])(
    'does not offer %s',
    async (method) => {
      const { address, call } = await setup(true);
      const signing = call(method, [address, mailOf(1)]);
      await expectRefusal(signing, method.endsWith('v3') ? 4200 : -32602);
    },
  );
});
