import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import type { TransactionSerializedEIP1559 } from 'viem';

import { gasAnswer } from '../fixtures/client/gas-answer';
import { answerChain } from '../support/answer-rpc';
import { FEE_ANSWERS, NEAR_ANSWERS } from '../support/fees';
import { useHttpServers } from '../support/http-server';
import { installBench, refusalIn, resultIn } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { TO } from '../support/transactions';
import { writeView } from '../support/view';

const startServer = useHttpServers();

type Filled = { tx: Record<string, Json>; raw: TransactionSerializedEIP1559 };

/** A granted account of the type, and the wallet's node, which is on chain 1. */
async function setup(
  type: string,
  fees: Record<string, Json> = FEE_ANSWERS,
): Promise<SnapBench & { account: KeyringAccount }> {
  const bench = await installBench();
  const answers: Record<string, Json> = {
    ...fees,
    eth_chainId: '0x1',
    eth_getTransactionCount: '0x5',
    eth_estimateGas: '0x5208',
  };
  for (const [method, result] of Object.entries(answers)) {
    bench.snap.mockJsonRpc({ method, result });
  }
  const account = await bench.create({ type });
  await bench.confirm({ method: 'eth_requestAccounts' }, ['approve']);
  return { ...bench, account };
}

async function expectSignedBy(
  { address }: KeyringAccount,
  { tx, raw }: Filled,
): Promise<void> {
  const sender = await recoverTransactionAddress({ serializedTransaction: raw });
  expect(sender.toLowerCase()).toBe(address);
  const { nonce, gas, maxFeePerGas, to } = parseTransaction(raw);
  expect({ nonce, to }).toStrictEqual({ nonce: Number(tx.nonce), to: tx.to });
  expect([gas, maxFeePerGas]).toStrictEqual(
    [tx.gasLimit, tx.maxFeePerGas].map((hex) => BigInt(hex as string)),
  );
}

describe('a transaction with fields left open', () => {
  it("is filled from the wallet's own node", async () => {
    const { confirm, account } = await setup('eip155:eoa');
    const params = [{ from: account.address, to: TO, value: '0x1' }];
    const { answer, content } = await confirm(
      { method: 'eth_signTransaction', params },
      ['approve'],
    );
    const filled = resultIn(answer) as Filled;
    expect(filled.tx).toStrictEqual({
      type: '0x2',
      chainId: '0x1',
      nonce: '0x5',
      from: account.address,
      to: TO,
      value: '0x1',
      data: '0x',
      gasLimit: '0x5208',
      maxFeePerGas: '0x65ec8780',
      maxPriorityFeePerGas: '0x989680',
      accessList: [],
    });
    await expectSignedBy(account, filled);
    expect(writeView(content)).toContain('1.71 gwei');
  });

  it('is filled from a gas API that is configured, with its credentials', async () => {
    const { confirm, manage, account } = await setup('eip155:eoa', NEAR_ANSWERS);
    const server = await startServer((response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.end(JSON.stringify(gasAnswer));
    });
    const chain = {
      chainId: 1,
      gasBaseUrl: server.url,
      apiKey: 'user',
      apiKeySecret: 'secret',
    };
    await manage('tollkeeper_setChain', chain);
    const params = [{ from: account.address, to: TO, value: '0x1' }];
    const { answer } = await confirm({ method: 'eth_signTransaction', params }, [
      'approve',
    ]);
    const filled = resultIn(answer) as Filled;
    expect(filled.tx).toMatchObject({
      maxFeePerGas: '0x524467f72',
      maxPriorityFeePerGas: '0x5f5e100',
    });
    await expectSignedBy(account, filled);
    const [asked] = server.arrived;
    expect(asked?.path).toBe('/networks/1/suggestedGasFees');
    expect(asked?.headers.authorization).toBe(`Basic ${btoa('user:secret')}`);
  });
});

describe('eth_prepareUserOperation', () => {
  it('says that no bundler is configured', async () => {
    const { rpc } = await setup('eip155:erc4337');
    const answer = await rpc('eth_prepareUserOperation', [
      { to: TO, value: '0x0', data: '0x' },
    ]);
    expect(refusalIn(answer)).toStrictEqual({
      code: -32002,
      message:
        'No bundler is configured for eip155:1. Configure one with tollkeeper_setChain.',
    });
  });

  it('says that the bundler cannot be reached, without its key', async () => {
    const { rpc, manage, snap } = await setup('eip155:erc4337');
    snap.mockJsonRpc({ method: 'eth_getCode', result: '0x' });
    snap.mockJsonRpc({ method: 'eth_call', result: `0x${'00'.repeat(32)}` });
    const gone = await startServer(answerChain(1));
    const chain = {
      chainId: 1,
      bundlerUrl: gone.url,
      bundlerApiKey: 'k3y-of-the-user',
    };
    await manage('tollkeeper_setChain', chain);
    await gone.stop();
    const answer = await rpc('eth_prepareUserOperation', [
      { to: TO, value: '0x0', data: '0x' },
    ]);
    expect(refusalIn(answer)).toStrictEqual({
      code: -32002,
      message:
        'eth_estimateUserOperationGas at the bundler of eip155:1 could not be reached. ' +
        'It was tried 3 times. Check the address and the connection.',
    });
  });
});
