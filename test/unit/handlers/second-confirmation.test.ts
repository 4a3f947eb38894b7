import { stringToHex } from 'viem';

import { refusalOf } from '../../support/refusal';
import { setupSubmitBench } from '../../support/submit-bench';
import type { SubmitBench } from '../../support/submit-bench';
import { COMPANION, refuse } from '../../support/test-app';
import { transactions } from '../../support/transactions';
import { textOf, textsOf } from '../../support/view';

describe('a second confirmation', () => {
  async function setupTwice(approvalMode = 'synchronous'): Promise<SubmitBench> {
    const bench = await setupSubmitBench();
    await bench.app.services.store.update((state) => ({
      ...state,
      settings: {
        ...state.settings,
        secondConfirmation: true,
        approvalMode: approvalMode as 'synchronous',
      },
    }));
    return bench;
  }

  it('is asked for where the user wants it, and says who told who asks', async () => {
    const { submit, eoa, owner, app } = await setupTwice();
    const params = [stringToHex('hello'), eoa.address];
    expect(await submit('personal_sign', params)).toStrictEqual({
      pending: false,
      result: await owner.signMessage({ message: 'hello' }),
    });
    expect(app.edges.dialogs.shown).toHaveLength(1);
    const texts = textsOf(app.edges.dialogs.shown);
    expect(texts[texts.indexOf(textOf('field.originTold')) + 1]).toBe('metamask');
    expect(texts).not.toContain(textOf('field.origin'));
  });

  it('can be refused', async () => {
    const { submit, eoa, app } = await setupTwice();
    app.edges.dialogs.answer = refuse;
    const signing = submit('personal_sign', [stringToHex('hello'), eoa.address]);
    expect(await refusalOf(signing)).toHaveProperty('code', 4001);
  });

  it('shows the fees of a transaction, which MetaMask chose', async () => {
    const { submit, eoa, app } = await setupTwice();
    const transaction = { from: eoa.address, ...transactions['EIP-1559'] };
    const answer = await submit('eth_signTransaction', [transaction], 'eip155:1');
    const { result } = answer as { result: object };
    expect(Object.keys(result).sort()).toStrictEqual(['r', 's', 'v']);
    const texts = textsOf(app.edges.dialogs.shown);
    expect(texts).toContain(textOf('field.balanceAfter'));
    expect(texts).not.toContain(textOf('fee.title'));
  });

  it('lets nothing through that is for dapps alone', async () => {
    const { submit, eoa, app } = await setupTwice();
    const transaction = { from: eoa.address, to: eoa.address };
    const sending = submit('eth_sendTransaction', [transaction], 'eip155:1');
    expect(await refusalOf(sending)).toHaveProperty('code', 4200);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('comes when a request that waited is approved', async () => {
    const { submit, keyring, eoa, app } = await setupTwice('asynchronous');
    await submit('personal_sign', [stringToHex('hello'), eoa.address]);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
    const [waiting] = (await keyring(COMPANION, 'keyring_listRequests')) as [
      { id: string },
    ];
    const params = { id: waiting.id, data: {} };
    await keyring(COMPANION, 'keyring_approveRequest', params);
    expect(app.edges.dialogs.shown).toHaveLength(1);
  });
});
