import { EthUserOperationPatchStruct } from '@metamask/keyring-api';
import { strictMask } from '@metamask/keyring-utils';
import type { Json } from '@metamask/utils';

import { entryPoints } from '../../../src/eth/entry-point';
import { operationOf } from '../../support/operations';
import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { TO } from '../../support/transactions';

type Bench = SignBench & { address: string; patch: (params: Json) => Promise<Json> };

async function setup(): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create({
    type: 'eip155:erc4337',
    entryPoint: '0.7',
  });
  const patch: Bench['patch'] = (params) =>
    bench.sign({ account: id, method: 'eth_patchUserOperation', params });
  return { ...bench, address, patch };
}

describe('eth_patchUserOperation', () => {
  it('answers that the account pays itself, as the strict struct of MetaMask has it', async () => {
    const { patch, address } = await setup();
    const answer = await patch([operationOf(address)]);
    expect(answer).toStrictEqual({ paymasterAndData: '0x' });
    expect(strictMask(answer, EthUserOperationPatchStruct)).toBe(answer);
  });

  it('asks nobody and no server', async () => {
    const { patch, address, consents, edges } = await setup();
    edges.wallet.calls.length = 0;
    await patch([operationOf(address)]);
    expect(consents.asked).toHaveLength(0);
    expect(edges.wallet.calls).toHaveLength(0);
  });

  it('refuses an operation of another sender', async () => {
    const { patch, address } = await setup();
    expect(await refusalOf(patch([operationOf(TO)]))).toStrictEqual({
      code: -32602,
      message: `sender is ${TO}, but the request is for the account ${address}.`,
    });
  });

  it('refuses an operation for another entry point', async () => {
    const { patch, address } = await setup();
    const { entryPoint } = entryPoints['0.8'];
    expect(await refusalOf(patch([operationOf(address), entryPoint]))).toStrictEqual({
      code: -32602,
      message:
        `The entry point is ${entryPoint}, but the account ${address} is for ` +
        `${entryPoints['0.7'].entryPoint} (version 0.7).`,
    });
  });

  it('refuses malformed params by name', async () => {
    const { patch } = await setup();
    expect(await refusalOf(patch([]))).toStrictEqual({
      code: -32602,
      message: 'eth_patchUserOperation: params[0] is missing: it must be an object.',
    });
  });
});
