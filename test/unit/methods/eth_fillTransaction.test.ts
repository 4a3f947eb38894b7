import type { Json } from '@metamask/utils';
import { fromRlp, parseTransaction } from 'viem';
import type { Hex } from 'viem';

import { approveUnseen } from '../../../src/methods';
import { askedOf } from '../../support/fake-node';
import { refusalOf } from '../../support/refusal';
import { createSendBench, RECIPIENT } from '../../support/send-bench';
import { DAPP } from '../../support/test-app';

describe('eth_fillTransaction', () => {
  it('answers what would be signed, with an empty signature, and asks nobody', async () => {
    const { call, address, edges } = await createSendBench();
    const shown = edges.dialogs.shown.length;
    const filled = await call('eth_fillTransaction', [
      { from: address, to: RECIPIENT, value: '0x1' },
    ]);
    const { raw, tx } = filled as { raw: Hex; tx: Record<string, Json> };
    expect(tx).toStrictEqual({
      type: '0x2',
      chainId: '0x1',
      nonce: '0x5',
      from: address,
      to: RECIPIENT,
      value: '0x1',
      data: '0x',
      gasLimit: '0x5208',
      maxFeePerGas: '0x50775d82',
      maxPriorityFeePerGas: '0x2',
      accessList: [],
    });
    const fields = fromRlp(`0x${raw.slice(4)}`) as Hex[];
    expect(fields.slice(-3)).toStrictEqual(['0x', '0x', '0x']);
    expect(fields.slice(0, 2)).toStrictEqual(['0x01', '0x05']);
    expect(edges.dialogs.shown).toHaveLength(shown);
  });

  it('gives what can be signed as it is', async () => {
    const { call, address } = await createSendBench();
    const params = [{ from: address, to: RECIPIENT, gasPrice: '0x7' }];
    const { tx } = (await call('eth_fillTransaction', params)) as { tx: Json };
    const signed = await call('eth_signTransaction', [tx]);
    expect(Object.keys(signed as object).sort()).toStrictEqual(['r', 's', 'v']);
  });

  it('asks for each thing once, and not for a balance', async () => {
    const { call, address, edges } = await createSendBench();
    await call('eth_fillTransaction', [{ from: address, to: RECIPIENT }]);
    expect(askedOf(edges.wallet).sort()).toStrictEqual([
      'eth_chainId',
      'eth_chainId',
      'eth_estimateGas',
      'eth_feeHistory',
      'eth_getBlockByNumber',
      'eth_getBlockByNumber',
      'eth_getTransactionCount',
    ]);
  });

  it('fills at the level that the user chose', async () => {
    const { call, address, app } = await createSendBench();
    const fill = async (): Promise<string> => {
      const filled = await call('eth_fillTransaction', [
        { from: address, to: RECIPIENT },
      ]);
      return (filled as { tx: { maxPriorityFeePerGas: string } }).tx
        .maxPriorityFeePerGas;
    };
    const levels = [];
    for (const feeLevel of ['low', 'high'] as const) {
      await app.services.store.update((state) => ({
        ...state,
        settings: { ...state.settings, feeLevel },
      }));
      levels.push(await fill());
    }
    expect(levels).toStrictEqual(['0x1', '0x3']);
  });

  it('is refused to MetaMask, which fills itself', async () => {
    const { app, address } = await createSendBench();
    const [account] = await app.services.keyring.listAccounts();
    const request = {
      account: account?.id ?? '',
      origin: DAPP,
      scope: undefined,
      method: 'eth_fillTransaction',
      params: [{ from: address, to: RECIPIENT }],
    };
    const { methodServices } = app.services;
    const asking = app.services.keyring.submitRequest(request, {
      ...methodServices,
      requireConsent: async (asking) => Promise.resolve(approveUnseen(asking)),
      confirmsItself: false,
      isFromDapp: false,
      mayHoldSecrets: true,
    });
    expect(await refusalOf(asking)).toStrictEqual({
      code: 4200,
      message: 'eth_fillTransaction is not a signing method.',
    });
  });

  it('encodes a legacy transaction with nine fields', async () => {
    const { call, address } = await createSendBench();
    const params = [{ from: address, to: RECIPIENT, gasPrice: '0x7' }];
    const { raw } = (await call('eth_fillTransaction', params)) as { raw: Hex };
    expect(fromRlp(raw)).toHaveLength(9);
    expect(parseTransaction(raw)).toMatchObject({ gasPrice: 7n, gas: 21_000n });
  });
});
